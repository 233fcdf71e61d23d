/** Where minted tokens come from and burnt ones go; nobody's wallet. */
export const zeroAddress = `0x${'0'.repeat(40)}`;
