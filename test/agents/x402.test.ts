import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type A2aWorld, a2aWorld } from '../support/a2a-world.ts'
import { mySession } from '../support/agent-signing.ts'
import { sharedChain } from '../support/chain.ts'
import { type Eip3009Token, eip3009Token } from '../support/eip3009-token.ts'
import { type PaidServer, startPaidServer } from '../support/paid-server.ts'

const price = 250n
let world: A2aWorld
let token: Eip3009Token
let wallet: Address
const servers: PaidServer[] = []

beforeAll(async () => {
  const chain = await sharedChain()
  ;[world, token] = await Promise.all([a2aWorld(), eip3009Token(chain)])
  const { data } = await world.app.call<{ address: Address }>('GET', `/v1/s2s/wallets/${world.walletId}`, {
    sk: world.tenant.sk,
  })
  wallet = data.address
  await token.mint(wallet, 1_000_000n)
})
afterAll(async () => {
  await world.app.stop()
  for (const server of servers) await server.close()
})

async function paidServer(version: 1 | 2): Promise<PaidServer> {
  const server = await startPaidServer(token, { version, price })
  servers.push(server)
  return server
}
const newSession = (caps: object = {}) =>
  world.newSession(world.agent.id, { allowed_tokens: [{ chain: 'local', token: token.address, ...caps }] })

/** A task of the session that pays, at its end: what the tool gave, or why the run failed. */
async function pay(session: { token: string }, args: object) {
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ data: { tool: 'pay', arguments: args } }] }
  const { body } = await world.rpc(
    'SendMessage',
    { message },
    { token: session.token, headers: { 'a2a-version': '1.0' } },
  )
  const { task } = body.result
  return { state: task.status.state, text: JSON.stringify(task), made: task.artifacts?.[0]?.parts?.[1]?.data }
}
const spentOf = async (session: { token: string }) =>
  (await mySession(world.app, session.token)).spent.find(({ asset }) =>
    asset.toLowerCase().includes(token.address.toLowerCase()),
  )

describe.each([1, 2] as const)('x402 version %i', (version) => {
  test('what costs money is paid for once, on the chain, and counted against the token', async () => {
    const server = await paidServer(version)
    const session = await newSession({ max_total: '1000' })
    const before = await token.balanceOf(token.seller.address)
    const { made, text } = await pay(session, { url: server.url })
    expect(made, text).toMatchObject({
      status: 200,
      body: 'what was paid for',
      payment: { chain: 'local', amount: '250' },
      settlement: { success: true, payer: wallet },
    })
    expect((await token.balanceOf(token.seller.address)) - before).toBe(price)
    expect(await spentOf(session)).toMatchObject({ spent: '250', reserved: '0', remaining: '750' })
  })

  test('an answer that is lost on the way is asked for again with the same payment, never with a second one', async () => {
    const server = await paidServer(version)
    server.losses = 2
    const session = await newSession({ max_total: '1000' })
    const before = await token.balanceOf(token.seller.address)
    const { made, text } = await pay(session, { url: server.url })
    expect(made, text).toMatchObject({ status: 200, body: 'what was paid for' })
    expect(server.shown.length).toBe(3)
    for (const { payload } of server.shown) expect(payload).toEqual(server.shown[0]?.payload)
    expect((await token.balanceOf(token.seller.address)) - before).toBe(price)
    expect(await spentOf(session)).toMatchObject({ spent: '250' })
  })

  test('of several offers the first that the policy allows is taken', async () => {
    const server = await paidServer(version)
    const [name, amount] = version === 1 ? ['local', 'maxAmountRequired'] : ['eip155:31337', 'amount']
    const stranger = {
      scheme: 'exact',
      network: name,
      [amount]: '1',
      asset: wallet,
      payTo: wallet,
      maxTimeoutSeconds: 60,
      extra: { name: 'X', version: '1' },
    }
    server.otherOffers = [{ scheme: 'upto' }, { ...stranger, network: 'mars' }, stranger]
    const { made, text } = await pay(await newSession(), { url: server.url })
    expect(made, text).toMatchObject({ payment: { token: token.address, amount: '250' } })
  })
})

test('a price beyond the cap is refused with its reason, and nothing is shown to the seller', async () => {
  const server = await paidServer(2)
  const session = await newSession({ max_per_tx: '249' })
  const { text } = await pay(session, { url: server.url })
  expect(text).toMatch(/token_cap_exceeded/)
  expect(server.shown).toEqual([])
  expect((await pay(await newSession(), { url: server.url, max_amount: '249' })).text).toMatch(/max_amount/)
  expect((await pay(world.session, { url: server.url })).text).toMatch(/token_not_allowed/)
  expect(server.shown).toEqual([])
})

test('what costs nothing is simply fetched, and what may not be called is not', async () => {
  const page = `${world.app.url}/v1/health`
  expect((await pay(world.session, { url: page })).made).toMatchObject({
    status: 200,
    body: expect.stringContaining('ok'),
  })
  expect((await pay(world.session, { url: 'http://10.0.0.1/' })).text).toMatch(/not allowed/)
})

test('nobody at the address ends the run at once, since nothing was decided on', async () => {
  const { text } = await pay(world.session, { url: 'http://127.0.0.1:1/' })
  expect(text).toMatch(/cannot be reached/)
})
