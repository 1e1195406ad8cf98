import { assembleAnswer, type Chain, chainAddress, networks, parsePayload } from '@symbolon/networks/browser'
import {
  type BuiltOperation,
  builtOperationFromJson,
  type EvmCall,
  encodeCalls,
  encodeCreateAccount,
  type Hex,
  lightAccountAddress,
  lightAccountFactory,
  previewCalls,
  userOperationHash,
} from '@symbolon/networks/evm'
import { answerFields, hexBytes, text } from '../api/answer-fields.ts'
import { OutcomeUnknown, repeat } from '../api/repeat.ts'
import { buildUserOp, submitUserOp } from '../api/user-api.ts'
import type { Handlers } from '../connect/talk.ts'
import type { ConfirmView } from '../dialogs/dialogs.ts'
import { FrameFailure } from '../frame-failure.ts'
import type { JsonObject } from '../protocol/messages.ts'
import { readCalls } from '../requests/read-calls.ts'
import { evmChain } from './evm-chain.ts'
import { requireShare } from './require-share.ts'
import { signPayload } from './sign-payload.ts'
import { requireClientMode, type Vault } from './vault.ts'

/**
 * `userop.send`: has the operation built, and signs it only if its hash is that of an operation which does exactly the
 * given calls, from the account of this wallet; `preview_mismatch` otherwise. The preview is decoded here, from the calls.
 */
export function sendUserop(vault: Vault): Handlers['userop.send'] {
  return async ({ chain: handle, calls: given }, signal) => {
    requireClientMode(vault)
    const calls = readCalls(given)
    const chain = evmChain(handle)
    const user = vault.user()
    const wallet = await user.wallet('secp256k1')
    const owner = chainAddress(networks, chain, wallet.publicKey) as Hex
    // A build reserves the wallet's sponsorship.
    await requireShare(vault, wallet)
    const built = await buildUserOp(user.api, { chain: handle, calls: given, check_funds: true })
    const operation = checkedOperation(built, { chain, owner, calls })
    const view = operationView(vault, built, operation, { chain, owner, calls })
    const intent = { kind: 'user_operation', chain: handle, hash: hexBytes(built, 'user_op_hash') } as const
    const payload = parsePayload(networks, intent, 'secp256k1', wallet.publicKey)
    const signatures = await signPayload(vault, { user, wallet, payload, view, signal })
    const { signature } = assembleAnswer(payload, signatures)
    const body = { user_op_hash: text(built, 'user_op_hash'), signature }
    try {
      return (await repeat(vault.wait, () => submitUserOp(user.api, body))).value
    } catch (error) {
      throw error instanceof OutcomeUnknown ? error.cause : error
    }
  }
}

type Asked = { readonly chain: Chain; readonly owner: Hex; readonly calls: readonly EvmCall[] }

/** The built operation, if it is the one that was asked for and its hash is its own. */
function checkedOperation(built: JsonObject, { chain, owner, calls }: Asked): BuiltOperation {
  const operation = builtOperationFromJson(answerFields(built['user_operation']))
  const { sender, callData, factory, factoryData } = operation
  const isNew = factory !== undefined
  const isAsked =
    isSame(sender, lightAccountAddress(owner)) &&
    isSame(callData, encodeCalls(calls)) &&
    (!isNew ||
      (isSame(factory, lightAccountFactory) && isSame(factoryData ?? '0x', encodeCreateAccount(owner)))) &&
    isSame(userOperationHash(operation, Number(chain.chainId)), text(built, 'user_op_hash'))
  if (!isAsked) throw new FrameFailure('preview_mismatch')
  return operation
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function operationView(
  { pageOrigin, organization }: Vault,
  built: JsonObject,
  operation: BuiltOperation,
  { chain, owner, calls }: Asked,
): ConfirmView {
  const isSponsored = operation.paymasterAndDataHash !== undefined
  const preview = previewCalls(calls, {
    chain,
    from: lightAccountAddress(owner),
    fee: worstCostWei(operation),
    expiresAt: text(built, 'expires_at'),
    isSponsored,
  })
  const details = calls.map(({ to, data }, index) => ({ label: `Call ${index + 1} to ${to}`, text: data }))
  return {
    pageOrigin,
    subject: 'operation',
    preview,
    chainId: Number(chain.chainId),
    nativeAsset: chain.nativeAsset,
    feePaidBy: isSponsored ? organization.name : null,
    message: null,
    details: [...details, { label: 'Hash', text: text(built, 'user_op_hash') }],
  }
}

/** All gas of the account's own at its highest price; what a paymaster adds, the paymaster pays. */
function worstCostWei(operation: BuiltOperation): bigint {
  const { preVerificationGas, verificationGasLimit, callGasLimit, maxFeePerGas } = operation
  return (preVerificationGas + verificationGasLimit + callGasLimit) * maxFeePerGas
}
