import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, test } from 'vitest'
import { compressPublicKey } from './compress-public-key.ts'
import { NetworkError } from './network-error.ts'
import { networks } from './networks.ts'
import { chainAddress, chains, walletAddresses } from './testing/by-intent.ts'
import { testKey, testKeys } from './testing/oracle-signer.ts'
import { vectorJson } from './testing/vectors.ts'

const secp = testKey('secp256k1', 0).publicKey
const ed = testKey('ed25519', 0).publicKey

describe('wallet addresses', () => {
  test('a wallet has the addresses of its curve, by their names on the wire', () => {
    expect(Object.keys(walletAddresses('secp256k1', secp)).sort()).toEqual(
      ['bitcoin', 'bitcoin_taproot', 'bitcoin_testnet', 'cosmos', 'evm', 'osmosis', 'tron'].sort(),
    )
    expect(Object.keys(walletAddresses('ed25519', ed)).sort()).toEqual(['aptos', 'near', 'solana', 'stellar'])
  })

  test('every chain has an address, a curve and a network that agree', () => {
    for (const chain of chains) {
      expect(networks.of(chain).curve).toBe(chain.curve)
      expect(chainAddress(chain, chain.curve === 'secp256k1' ? secp : ed)).not.toBe('')
      if (chain.network === 'evm') expect(chain.caip2).toBe(`eip155:${chain.chainId}`)
    }
    expect(new Set(chains.map(({ handle }) => handle)).size).toBe(chains.length)
    expect(new Set(chains.map(({ caip2 }) => caip2)).size).toBe(chains.length)
  })

  test('a public key is taken compressed and uncompressed, and stored compressed', () => {
    for (const { publicKey } of testKeys('secp256k1', 50)) {
      const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false)
      expect(compressPublicKey('secp256k1', uncompressed)).toEqual(publicKey)
      expect(compressPublicKey('secp256k1', publicKey)).toEqual(publicKey)
    }
    expect(compressPublicKey('ed25519', ed)).toEqual(ed)
  })

  test('points off the curve, of small order, of other lengths and forms are refused', () => {
    const offCurve = Uint8Array.of(4, ...new Uint8Array(64).fill(1))
    const hybrid = secp256k1.Point.fromBytes(secp).toBytes(false)
    hybrid[0] = 6
    for (const key of [offCurve, hybrid, new Uint8Array(33), secp.slice(1), ed, new Uint8Array(0)]) {
      expect(() => compressPublicKey('secp256k1', key)).toThrow(NetworkError)
    }
    const notCanonical = new Uint8Array(32).fill(0xff)
    for (const key of [ed25519.Point.ZERO.toBytes(), notCanonical, new Uint8Array(32), secp, ed.slice(1)]) {
      expect(() => compressPublicKey('ed25519', key)).toThrow(NetworkError)
    }
  })

  test('symbols and decimals are those of the wallet core registry', () => {
    type Coin = { id: string; symbol: string; decimals: number }
    const coins = vectorJson<Coin[]>('chains/walletcore_registry_subset.json')
    const idOf: Record<string, string> = { cosmoshub: 'cosmos' }
    let compared = 0
    for (const { handle, nativeAsset } of chains) {
      const coin = coins?.find(({ id }) => id === (idOf[handle] ?? handle))
      if (!coin || handle === 'polygon') continue
      expect({ symbol: coin.symbol, decimals: coin.decimals }).toEqual(nativeAsset)
      compared++
    }
    expect(compared > 0).toBe(coins !== undefined)
  })
})
