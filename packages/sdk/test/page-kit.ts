import * as wagmi from '@wagmi/core'
import { getWallets } from '@wallet-standard/app'
import {
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  http,
  numberToHex,
  parseEther,
} from 'viem'
import { createClient, unwrap } from '../src/index.ts'
import { walletLine } from './wallet-line.ts'

/** Everything that a page of a shop uses, unchanged from its packages; bundled for the browser as `kit`. */
export const pageKit = {
  createClient,
  unwrap,
  wagmi,
  getWallets,
  walletLine,
  viem: { createPublicClient, createWalletClient, custom, defineChain, http, numberToHex, parseEther },
}

declare global {
  var kit: typeof pageKit
  var client: ReturnType<typeof createClient>
}

globalThis.kit = pageKit
