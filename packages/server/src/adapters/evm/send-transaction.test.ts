import { decodeSignedTransaction, type Hex } from '@symbolon/networks/evm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { EvmRpcError } from '../../ports/evm-rpc.ts'
import { evmRpcHttp } from './evm-rpc-http.ts'
import { httpConnections, jsonRpcHttp } from './json-rpc-http.ts'
import { measureCalls } from './measure-call.ts'
import { recorded } from './testing/recorded.ts'
import { handled, refusal, type Script, type ScriptedNode, scriptedNode } from './testing/scripted-node.ts'

const connections = httpConnections()
const nodes: ScriptedNode[] = []
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
})
afterAll(() => connections.close())

// Of anvil's first account, to itself, nonce 0, on chain 31337.
const raw: Hex =
  '0x02f869827a6980018502540be40082520894f39fd6e51aad88f6f4ce6ab8827279cfffb922660180c001a08bcf4c4beb11d679ef18860006178c3d40f2a9cc85f5959b22b676ae3b0404a7a040e38052e903df1e017548b548b762522c66bd43acc59331582d7f9fff3d2603'
const { hash } = decodeSignedTransaction(Buffer.from(raw.slice(2), 'hex'))

async function send(...scripts: Script[]) {
  const { log, metrics, calls } = recorded()
  const servers = await Promise.all(scripts.map(scriptedNode))
  nodes.push(...servers)
  const rpc = evmRpcHttp({
    nodes: servers.map(({ url }, i) => jsonRpcHttp({ url, name: `${i}`, connections })),
    measure: measureCalls(metrics, 'local', 'rpc'),
    log,
    timeoutMs: 600,
  })
  const outcome = await rpc.send(raw).catch((error: unknown) => error)
  return { outcome, servers, calls }
}

const scripted =
  (onSend: unknown, found: unknown = null): Script =>
  ({ method }) =>
    method === 'eth_sendRawTransaction' ? onSend : method === 'eth_getTransactionByHash' ? found : undefined

describe('a transaction that is sent', () => {
  test('is answered with the hash of its bytes', async () => {
    expect((await send(scripted(hash))).outcome).toBe(hash)
  })

  test.each([
    'already known',
    'AlreadyKnown',
    'ALREADY_EXISTS: already known',
    'transaction already imported',
    'known transaction: 12',
  ])('is a success when the node says: %s', async (message) => {
    expect((await send(scripted(refusal(-32000, message)))).outcome).toBe(hash)
  })

  test('is a success when its nonce is used because it is mined', async () => {
    expect((await send(scripted(refusal(-32000, 'nonce too low'), { hash }))).outcome).toBe(hash)
  })

  test('is refused when its nonce was used by another one', async () => {
    const { outcome, calls } = await send(scripted(refusal(-32000, 'nonce too low')))
    expect(outcome).toBeInstanceOf(EvmRpcError)
    expect(outcome).toMatchObject({ code: 'rejected', reason: 'nonce too low' })
    expect(calls).toEqual(['local rpc eth_sendRawTransaction refused'])
  })

  test('is refused for good only when every node has been asked whether it has it', async () => {
    const tooLow = refusal(-32000, 'nonce too low')
    const unasked = { code: 'transport', reason: 'nonce too low' }
    expect((await send(scripted(tooLow, refusal(-32005, 'rate limit')))).outcome).toMatchObject(unasked)
    expect((await send(scripted(tooLow, refusal(-32601, 'no such method')))).outcome).toMatchObject(unasked)
    const another = { hash: `0x${'00'.repeat(32)}` }
    expect((await send(scripted(tooLow, another))).outcome).toMatchObject(unasked)
    const lost = await send(scripted(handled, handled), scripted(tooLow))
    expect(lost.outcome).toMatchObject(unasked)
    expect((await send(scripted(handled), scripted(tooLow))).outcome).toMatchObject({ code: 'rejected' })
  })

  test('is a success when the answer is lost and the chain knows it', async () => {
    expect((await send(scripted(handled, { hash }))).outcome).toBe(hash)
  })

  test('is not a success when the answer is lost and the chain does not know it', async () => {
    const { outcome } = await send(scripted(handled, { hash: `0x${'00'.repeat(32)}` }))
    expect(outcome).toMatchObject({ code: 'transport' })
  })

  test('goes to the next node when the first one is out of reach, and is looked for on both', async () => {
    const { outcome, servers } = await send(scripted(handled), scripted(hash))
    expect(outcome).toBe(hash)
    expect(servers[1]?.methods).toEqual(['eth_sendRawTransaction'])
    const lost = await send(scripted(handled, null), scripted(refusal(-32000, 'no'), { hash }))
    expect(lost.outcome).toBe(hash)
  })

  test('is not taken for sent when the node answers another hash', async () => {
    expect((await send(scripted(`0x${'11'.repeat(32)}`))).outcome).toMatchObject({ code: 'transport' })
  })
})
