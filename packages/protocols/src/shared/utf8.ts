const encoder = new TextEncoder();

/**
 * UTF-8 bytes of a text. A lone surrogate, which UTF-8 cannot hold, becomes the three bytes of its own code point
 * instead of the replacement character: different texts always have different bytes.
 */
export function encodeUtf8(text: string): Uint8Array {
  return text.isWellFormed() ? encoder.encode(text) : encodeGenerously(text);
}

function encodeGenerously(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xd800 && code <= 0xdfff) {
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    } else {
      for (const byte of encoder.encode(character)) bytes.push(byte);
    }
  }
  return Uint8Array.from(bytes);
}
