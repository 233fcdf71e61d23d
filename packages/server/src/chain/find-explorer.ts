const explorers: Readonly<Record<number, string>> = {
  1: 'https://etherscan.io',
  11155111: 'https://sepolia.etherscan.io',
};

/** The block explorer of a chain that has a well-known one. */
export function findExplorer(chainId: number): string | null {
  return explorers[chainId] ?? null;
}
