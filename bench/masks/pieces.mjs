// A vocabulary of a tokenizer.json (SentencePiece with byte tokens, as Gemma 3's) as a file of pieces: node pieces.mjs JSON OUT
// For each token its length as 4 little-endian bytes, then its bytes; one more that ends comes last.
import fs from 'node:fs';

const [json, out] = process.argv.slice(2);
const {model, added_tokens} = JSON.parse(fs.readFileSync(json, 'utf8'));
const entries = [...Object.entries(model.vocab), ...added_tokens.map((t) => [t.content, t.id])];
const pieces = [];
for (const [text, id] of entries) {
  const byte = /^<0x([0-9A-F]{2})>$/.exec(text);
  pieces[id] = byte ? Buffer.from([parseInt(byte[1], 16)]) : Buffer.from(text.replaceAll('\u2581', ' '), 'utf8');
}
pieces.push(Buffer.from('</s>'));
const length = (n) => { const b = Buffer.alloc(4); b.writeUInt32LE(n); return b; };
fs.writeFileSync(out, Buffer.concat(pieces.flatMap((piece) => [length(piece.length), piece])));
