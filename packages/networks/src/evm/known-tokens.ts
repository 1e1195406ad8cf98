import type { Chain } from '../chain.ts'
import { nativeDisplay, tokenDisplay } from '../preview/amount-display.ts'

type Token = { readonly symbol: string; readonly decimals: number }

const usdc: Token = { symbol: 'USDC', decimals: 6 }
const usdt: Token = { symbol: 'USDT', decimals: 6 }
const dai: Token = { symbol: 'DAI', decimals: 18 }
const weth: Token = { symbol: 'WETH', decimals: 18 }
const wpol: Token = { symbol: 'WPOL', decimals: 18 }

/** Tokens whose symbol and decimals are beyond doubt, by chain and contract. USDC is Circle's own, none that is bridged. */
export const knownTokens: Readonly<Record<string, Readonly<Record<string, Token>>>> = {
  ethereum: {
    '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48': usdc,
    '0xdAC17F958D2ee523a2206206994597C13D831ec7': usdt,
    '0x6B175474E89094C44Da98b954EedeAC495271d0F': dai,
    '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2': weth,
  },
  base: {
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913': usdc,
    '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb': dai,
    '0x4200000000000000000000000000000000000006': weth,
  },
  optimism: {
    '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85': usdc,
    '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58': usdt,
    '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1': dai,
    '0x4200000000000000000000000000000000000006': weth,
  },
  arbitrum: {
    '0xaf88d065e77c8cC2239327C5EDb3A432268e5831': usdc,
    '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9': usdt,
    '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1': dai,
    '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1': weth,
  },
  polygon: {
    '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359': usdc,
    '0xc2132D05D31c914a87C6611C10748AEb04B58e8F': usdt,
    '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063': dai,
    '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619': weth,
    '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270': wpol,
  },
  sepolia: { '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238': usdc },
  'base-sepolia': { '0x036CbD53842c5426634e7929541eC2318f3dCF7e': usdc },
}

/** The contract of a chain's wrapped native asset (EIP-55), where it is beyond doubt. */
export function wrappedNative({ handle, nativeAsset }: Chain): string | undefined {
  const tokens = Object.entries(knownTokens[handle] ?? {})
  return tokens.find(([, { symbol }]) => symbol === `W${nativeAsset.symbol}`)?.[0]
}

/** An amount of a token: with symbol and decimals where it is known, else in its smallest units. */
export function evmTokenDisplay(asset: string | null, amount: bigint | null, { handle }: Chain): string {
  const shown = tokenDisplay(amount)
  const token = knownTokens[handle]?.[asset ?? '']
  return token === undefined || amount === null || shown === 'unlimited'
    ? shown
    : nativeDisplay(amount, token)
}
