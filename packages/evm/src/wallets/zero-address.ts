/** The sender of minted tokens and the receiver of burnt ones. It is nobody's wallet. */
export const zeroAddress = `0x${'0'.repeat(40)}`;
