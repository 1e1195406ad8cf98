import type { UserOpStatus } from '@symbolon/api'
import { devContracts, jsonRpc } from '@symbolon/dev/testing/chain'
import { type UserOperation, userOperationJson } from '@symbolon/networks/evm'
import { operationFromJson, withOwnerSignature } from '@symbolon/server/testing/transactions'
import type { Answer } from '@symbolon/testing/app'
import {
  built,
  codeOf,
  endOf,
  type SmartAccountOwner,
  signOp,
  submitOp,
  type WireCall,
} from '@symbolon/testing/evm'
import { createPublicClient, encodeFunctionData, type Hex, http } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { expect } from 'vitest'
import type { Lane } from './mix-site.ts'

/** A signed operation that nobody has submitted. */
export type Ready = { owner: SmartAccountOwner; hash: Hex; signature: Hex }

const target = devContracts().DevTarget.abi
/** A call of the trial contract. */
export const call = ({ chain }: Lane, functionName: string, args: unknown[] = []): WireCall => ({
  to: chain.contracts.target,
  data: encodeFunctionData({ abi: target, functionName, args }),
})

/** Builds an operation, by default one that only counts, and signs it. */
export async function ready(
  lane: Lane,
  owner: SmartAccountOwner,
  calls: WireCall[] = [call(lane, 'poke')],
  rest: Record<string, unknown> = {},
): Promise<Ready> {
  const { user_op_hash: hash } = await built(lane.app, owner, calls, rest)
  return { owner, hash, signature: await signOp(lane.app, owner, hash) }
}

/** Submits it. */
export const submit = ({ app }: Lane, { owner, hash, signature }: Ready): Promise<Answer<UserOpStatus>> =>
  submitOp(app, owner, hash, signature)

/** Submits an operation that ends in this way, at once or later. */
export async function ends(lane: Lane, op: Ready, wanted: Partial<UserOpStatus>): Promise<void> {
  const { data, text } = await submit(lane, op)
  if (data === null) throw new Error(`The submit answered ${text}`)
  const end = data.status === 'submitted' ? await endOf(lane.app, op.owner, op.hash, 30_000) : data
  expect(end, op.hash).toMatchObject(wanted)
}

/** How most operations end. */
export const confirmed = { status: 'confirmed', success: true } as const

/** A block that somebody else's transaction brings. */
const mine = ({ chain }: Lane) => chain.fund('0x000000000000000000000000000000000000dEaD', 1n)

/** The operation as its bundler gets it, without asking the platform. */
export async function signedOf({ app }: Lane, { hash, signature }: Ready): Promise<UserOperation> {
  const [row] = await app.sql<{ operation: Record<string, Hex> }[]>`
    select operation from user_operations where hash = ${hash}`
  return withOwnerSignature(operationFromJson(row?.operation ?? {}), signature)
}

/** Hands an operation to the real bundler, past the platform. */
export async function toBundler({ chain }: Lane, op: UserOperation): Promise<void> {
  const bundler = jsonRpc(chain.bundlerUrl)
  await bundler.call('eth_sendUserOperation', [userOperationJson(op), entryPoint07Address])
  bundler.close()
}

/** The bundler says that it has taken the operation, and has not. */
export const pretend = ({ bundler }: Lane, { hash }: Ready) =>
  bundler.fault('eth_sendUserOperation', { kind: 'answer', result: hash })

/** Submits an operation that the bundler refuses without cause. */
export async function refusedFalsely(lane: Lane, op: Ready): Promise<void> {
  const error = { code: -32500, message: 'AA33 reverted' }
  lane.bundler.fault('eth_sendUserOperation', { kind: 'error', error }, 1)
  expect(codeOf(await submit(lane, op))).toBe('502 bundler_rejected')
}

/** Resolves when nothing is on its way, and all that landed is on the chain where the database has it. */
export async function settled({ app, chain }: Lane, limitMs = 30_000): Promise<void> {
  const node = createPublicClient({ transport: http(chain.rpcUrl) })
  const end = performance.now() + limitMs
  for (;;) {
    const open = await app.sql<{ hash: string }[]>`
      select hash from user_operations where chain = ${chain.handle} and state in ('sending', 'sent')`
    const blocks = await app.sql<{ number: string; hash: Hex }[]>`
      select distinct block_number as number, block_hash as hash from user_operations
      where chain = ${chain.handle} and block_hash is not null`
    const known = await Promise.all(
      blocks.map(({ number }) => node.getBlock({ blockNumber: BigInt(number) }).catch(() => undefined)),
    )
    const moved = blocks.filter(({ hash }, i) => known[i]?.hash !== hash)
    if (open.length === 0 && moved.length === 0) return
    if (performance.now() > end)
      throw new Error(`Not settled: ${JSON.stringify({ open: open.map(({ hash }) => hash), moved })}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Blocks go on coming, as they do on a real chain. */
export function mineUntilStopped(lane: Lane): () => Promise<void> {
  let isStopped = false
  const mining = (async () => {
    while (!isStopped) {
      await mine(lane)
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  })()
  return async () => {
    isStopped = true
    await mining
  }
}
