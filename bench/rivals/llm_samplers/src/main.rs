//! The crate llm-samplers on the rows of bench/rivals: `bankml-rival DIR` reads DIR/logits.f32 and DIR/expected.json and prints
//! `ROW MICROSECONDS AGREE`, the median of a draw and on how many rows of logits the same tokens survive.
use llm_samplers::prelude::*;
use rand::{rngs::StdRng, SeedableRng};
use std::{collections::BTreeSet, env, fs, time::Instant};

type AnyError = Box<dyn std::error::Error>;

/// The truncating part of a row's chain, and whether it penalises; None for rows that the crate has no samplers for.
fn chain_of(row: &str) -> Option<SamplerChain> {
    let open = SamplerChain::new();
    Some(match row {
        "default" => open + SampleTopK::new(40, 1) + SampleTopP::new(0.95, 1) + SampleMinP::new(0.05, 1),
        "penalties_64" => {
            open + SampleRepetition::new(1.1, 64)
                + SampleFreqPresence::new(0.1, 0.1, 64)
                + SampleTopK::new(40, 1)
                + SampleTopP::new(0.95, 1)
                + SampleMinP::new(0.05, 1)
        }
        "greedy" => open + SampleTopK::new(1, 1),
        "top_k_200" => open + SampleTopK::new(200, 1) + SampleTopP::new(0.95, 1) + SampleMinP::new(0.05, 1),
        "top_p" => open + SampleTopP::new(0.95, 1),
        "min_p" => open + SampleMinP::new(0.05, 1),
        "none" => open,
        "typical" => open + SampleLocallyTypical::new(0.9, 1),
        _ => return None,
    })
}

fn main() -> Result<(), AnyError> {
    let folder = env::args().nth(1).ok_or("usage: bankml-rival DIR")?;
    let expected: serde_json::Value = serde_json::from_str(&fs::read_to_string(format!("{folder}/expected.json"))?)?;
    let n_vocab = expected["n_vocab"].as_u64().ok_or("n_vocab")? as usize;
    let bytes = fs::read(format!("{folder}/logits.f32"))?;
    let logits: Vec<f32> = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let rows: Vec<&[f32]> = logits.chunks_exact(n_vocab).collect();

    for (name, row) in expected["rows"].as_object().ok_or("rows")? {
        let Some(mut truncate) = chain_of(name) else { continue };
        let history: Vec<u32> = serde_json::from_value(row["history"].clone())?;
        let resources = || SimpleSamplerResources::new(Some(Box::new(StdRng::seed_from_u64(1))), Some(history.clone()));

        let mut agree = 0;
        for (place, survivors) in row["survivors"].as_array().ok_or("survivors")?.iter().enumerate() {
            let wanted: BTreeSet<u32> = serde_json::from_value(survivors.clone())?;
            let mut set = Logits::try_from_iter(rows[place].iter().copied())?;
            let left: BTreeSet<u32> = truncate.sample(&mut resources(), &mut set)?.iter().map(|l| l.token_id).collect();
            agree += usize::from(left == wanted);
        }

        let mut draw = chain_of(name).ok_or("chain")? + SampleTemperature::new(0.8) + SampleRandDistrib::new();
        let mut state = resources();
        let mut times = Vec::new();
        let start = Instant::now();
        while times.len() < 6 || start.elapsed().as_secs_f64() < 1.0 {
            let row = rows[times.len() % rows.len()];
            let before = Instant::now();
            let mut set = Logits::try_from_iter(row.iter().copied())?;
            draw.sample_token(&mut state, &mut set)?.ok_or("no token")?;
            times.push(before.elapsed().as_secs_f64() * 1e6);
        }
        times.sort_by(f64::total_cmp);
        println!("{name} {:.1} {agree}", times[times.len() / 2]);
    }
    Ok(())
}
