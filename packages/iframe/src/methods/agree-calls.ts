import { chainAddress, networks } from '@symbolon/networks/browser'
import { type EvmCall, type Hex, previewCalls } from '@symbolon/networks/evm'
import type { Handlers } from '../connect/talk.ts'
import type { ConfirmView } from '../dialogs/dialogs.ts'
import { FrameFailure } from '../frame-failure.ts'
import { readCalls } from '../requests/read-calls.ts'
import { evmChain } from './evm-chain.ts'
import { requireShare } from './require-share.ts'
import { requireClientMode, type Vault } from './vault.ts'

/**
 * `calls.agree`: one dialog for several transactions of the wallet, which are sent one after another. Each is signed by a `sign` that
 * names the list.
 */
export function agreeCalls(vault: Vault): Handlers['calls.agree'] {
  return async ({ chain: handle, calls: given, max_fee }, signal) => {
    requireClientMode(vault)
    const calls = readCalls(given)
    const chain = evmChain(handle)
    const maxFee = BigInt(max_fee)
    const wallet = await vault.user().wallet('secp256k1')
    await requireShare(vault, wallet)
    const from = chainAddress(networks, chain, wallet.publicKey) as Hex
    if (vault.organization.is_confirmation_shown) {
      const view: ConfirmView = {
        pageOrigin: vault.pageOrigin,
        subject: 'calls',
        preview: previewCalls(calls, { chain, from, fee: maxFee, expiresAt: null }),
        chainId: Number(chain.chainId),
        nativeAsset: chain.nativeAsset,
        feePaidBy: null,
        message: null,
        details: calls.map(callDetail),
      }
      if (!(await vault.dialogs.confirm(view, signal))) throw new FrameFailure('user_rejected')
    }
    return { batch: vault.agreed.keep({ chain: handle, calls, maxFee }) }
  }
}

/** `calls.show`: what became of several calls, as the page tells it. */
export function showCalls(vault: Vault): Handlers['calls.show'] {
  return async ({ chain: handle, calls: given, hashes, status }, signal) => {
    const chain = evmChain(handle)
    const calls = readCalls(given)
    const { publicKey } = await vault.user().wallet('secp256k1')
    const from = chainAddress(networks, chain, publicKey) as Hex
    const titled = calls.map((call, index) => ({
      title: previewCalls([call], { chain, from, fee: 0n, expiresAt: null }).title,
      to: call.to,
      hash: hashes[index] ?? null,
    }))
    await vault.dialogs.tellCalls(
      { pageOrigin: vault.pageOrigin, chain: handle, calls: titled, status },
      signal,
    )
    return {}
  }
}

function callDetail({ to, data }: EvmCall, index: number) {
  return { label: `Call ${index + 1} to ${to}`, text: data }
}
