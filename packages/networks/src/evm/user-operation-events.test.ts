import { encodeAbiParameters, encodeEventTopics, parseAbi, parseAbiParameters, zeroAddress } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { expect, test } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import {
  decodeRevertReasonEvent,
  decodeUserOperationEvent,
  postOpRevertReasonTopic,
  userOperationEventTopic,
  userOperationRevertReasonTopic,
} from './user-operation-events.ts'

const hash: Hex = `0x${'ab'.repeat(32)}`
const sender = '0x1eCBebd01B398F87d75aB93D853E340192D402Ac'
const paymaster = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const topicsOf = (args: object) =>
  encodeEventTopics({ abi: entryPoint07Abi, eventName: 'UserOperationEvent', args }) as Hex[]
const landed = parseAbiParameters('uint256 nonce, bool success, uint256 cost, uint256 used')
const topics = topicsOf({ userOpHash: hash, sender, paymaster })
const data = encodeAbiParameters(landed, [7n << 64n, true, 10n ** 18n, 21_000n])

test('the event of a landed operation is read as viem writes it', () => {
  expect(topics[0]).toBe(userOperationEventTopic)
  expect(decodeUserOperationEvent({ topics, data })).toEqual({
    hash,
    sender,
    paymaster,
    nonce: 7n << 64n,
    success: true,
    actualGasCost: 10n ** 18n,
    actualGasUsed: 21_000n,
  })
  const own = topicsOf({ userOpHash: hash, sender, paymaster: zeroAddress })
  const failed = encodeAbiParameters(landed, [0n, false, 1n, 2n])
  expect(decodeUserOperationEvent({ topics: own, data: failed })).toMatchObject({
    paymaster: zeroAddress,
    success: false,
  })
})

test('the reason of a reverted operation or paymaster is read, and other logs are refused', () => {
  const abi = parseAbi([
    'event PostOpRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
  ])
  const args = { userOpHash: hash, sender } as const
  const reverted = encodeEventTopics({
    abi: entryPoint07Abi,
    eventName: 'UserOperationRevertReason',
    args,
  }) as Hex[]
  const postOp = encodeEventTopics({ abi, eventName: 'PostOpRevertReason', args }) as Hex[]
  expect([reverted[0], postOp[0]]).toEqual([userOperationRevertReasonTopic, postOpRevertReasonTopic])
  const reason = encodeAbiParameters(parseAbiParameters('uint256, bytes'), [1n, '0x08c379a0'])
  for (const given of [reverted, postOp]) {
    expect(decodeRevertReasonEvent({ topics: given, data: reason })).toEqual({ hash, reason: '0x08c379a0' })
  }
  expect(() => decodeRevertReasonEvent({ topics, data })).toThrow(/revert reason/)
  expect(() => decodeUserOperationEvent({ topics: reverted, data: reason })).toThrow(/UserOperationEvent/)
})

test('a log that is cut, longer or holds a dirty bool is refused', () => {
  for (const bad of [
    { topics: topics.slice(0, 3), data },
    { topics: [...topics, hash], data },
    { topics: [topics[0] ?? hash, '0x12', hash, hash] as Hex[], data },
    { topics, data: data.slice(0, -2) as Hex },
    { topics, data: `${data}00` as Hex },
    {
      topics,
      data: encodeAbiParameters(parseAbiParameters('uint256, uint256, uint256, uint256'), [1n, 2n, 3n, 4n]),
    },
  ]) {
    expect(() => decodeUserOperationEvent(bad)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
  }
})
