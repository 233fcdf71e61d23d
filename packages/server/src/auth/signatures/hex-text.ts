const hexText = /^(?:0x)?([0-9a-fA-F]{2})+$/;
// Shorter text of these characters may well be Base64.
const leastLength = 64;

/** Tells text that was meant as hex from Base64, of which most of its characters are a part too. */
export function looksLikeHex(text: string): boolean {
  return text.length >= leastLength && hexText.test(text);
}
