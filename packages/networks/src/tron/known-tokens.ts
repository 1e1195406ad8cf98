/** TRC-20 tokens of the main network whose symbol and decimals are beyond doubt, by contract. */
export const knownTokens: Readonly<Record<string, { readonly symbol: string; readonly decimals: number }>> = {
  TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t: { symbol: 'USDT', decimals: 6 },
  TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8: { symbol: 'USDC', decimals: 6 },
}
