import { fromHex0x, type Hex, toHex0x } from '../codec/hex.ts'
import { invalidPayload } from '../network-error.ts'
import { abiReader } from './abi-reader.ts'
import { checksumAddress } from './address.ts'
import { eventTopic } from './selector.ts'

/** The members of a log that these decoders read. */
type Log = { readonly topics: readonly Hex[]; readonly data: Hex }

/** First topic of `UserOperationEvent`, which the EntryPoint logs once for every operation that landed. */
export const userOperationEventTopic: Hex = eventTopic(
  'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)',
)

/** First topic of `UserOperationRevertReason`: the operation's calls reverted. */
export const userOperationRevertReasonTopic: Hex = eventTopic(
  'UserOperationRevertReason(bytes32,address,uint256,bytes)',
)

/** First topic of `PostOpRevertReason`: the paymaster's last step reverted, and the calls with it. */
export const postOpRevertReasonTopic: Hex = eventTopic('PostOpRevertReason(bytes32,address,uint256,bytes)')

/** How an operation landed; `paymaster` is the zero address where the account paid, costs in wei and gas. */
export type UserOperationEvent = {
  hash: Hex
  sender: Hex
  paymaster: Hex
  nonce: bigint
  success: boolean
  actualGasCost: bigint
  actualGasUsed: bigint
}

/** Reads a log of `UserOperationEvent` (EntryPoint v0.7); another log is `invalid_payload`. */
export function decodeUserOperationEvent(log: Log): UserOperationEvent {
  const [topic, hash, sender, paymaster] = log.topics
  if (topic !== userOperationEventTopic || log.topics.length !== 4) {
    throw invalidPayload('The log is not a UserOperationEvent.')
  }
  const reader = abiReader(hexBytes(log.data), 4)
  const event = {
    hash: toHex0x(topicBytes(hash)),
    sender: checksumAddress(topicBytes(sender).subarray(12)),
    paymaster: checksumAddress(topicBytes(paymaster).subarray(12)),
    nonce: reader.uint(),
    success: reader.bool(),
    actualGasCost: reader.uint(),
    actualGasUsed: reader.uint(),
  }
  reader.end()
  return event
}

/** Reads a log of `UserOperationRevertReason` or `PostOpRevertReason`; another log is `invalid_payload`. */
export function decodeRevertReasonEvent(log: Log): { hash: Hex; reason: Hex } {
  const [topic, hash] = log.topics
  if (
    (topic !== userOperationRevertReasonTopic && topic !== postOpRevertReasonTopic) ||
    log.topics.length !== 3
  ) {
    throw invalidPayload('The log holds no revert reason.')
  }
  const reader = abiReader(hexBytes(log.data), 2)
  reader.uint()
  const reason = reader.bytes()
  reader.end()
  return { hash: toHex0x(topicBytes(hash)), reason: toHex0x(reason) }
}

function topicBytes(topic: Hex | undefined): Uint8Array {
  const bytes = topic === undefined ? undefined : fromHex0x(topic, true)
  if (bytes?.length !== 32) throw invalidPayload('A topic is not 32 bytes long.')
  return bytes
}

function hexBytes(data: Hex): Uint8Array {
  const bytes = fromHex0x(data, true)
  if (!bytes) throw invalidPayload('The data of the log is not 0x hex.')
  return bytes
}
