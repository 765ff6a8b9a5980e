/** The two web-platform classes that every supported run time has (browsers, Node). Nothing else may be assumed. */
declare class TextDecoder {
  constructor(encoding?: "utf-8");
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

declare class TextEncoder {
  encode(text: string): Uint8Array;
}
