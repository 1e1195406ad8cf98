/** Uniswap's Permit2, at one address on every chain. */
export const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
