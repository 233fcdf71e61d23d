const hexText = /^(?:0x)?([0-9a-fA-F]{2})+$/;
// A shorter text of these characters may be Base64.
const minLength = 64;

/** Whether a text was probably meant as hex. All hex digits are Base64 characters as well. */
export function looksLikeHex(text: string): boolean {
  return text.length >= minLength && hexText.test(text);
}
