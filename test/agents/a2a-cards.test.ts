import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { type AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { type A2aFixture, a2aFixture, anyAddress } from '@symbolon/testing/agents'
import { callAs } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

type Signature = { protected: string; signature: string }
type Card = Record<string, unknown> & {
  description: string
  signatures: Signature[]
  skills: { id: string; name: string; description: string; tags: string[] }[]
}

let fixture: A2aFixture

beforeAll(async () => {
  // Nothing here goes out to the chain.
  const nobody = 'http://127.0.0.1:9'
  fixture = await a2aFixture({
    chains: [{ handle: 'local', rpcUrls: [nobody], bundlerUrl: nobody, confirmations: 1 }],
  })
})
afterAll(() => fixture.app.stop())

const strictly = { 'a2a-version': '1.0' }
async function cardOf(id: string, headers: Record<string, string> = {}, name = 'agent-card.json') {
  const response = await fetch(`${fixture.app.url}/v1/agents/${id}/.well-known/${name}`, { headers })
  return (await response.json()) as Card
}
/** An agent's card in every form in which it is answered. */
async function cardsOf(id: string): Promise<Record<string, Card>> {
  const { token } = await fixture.newSession(id)
  const at = `${fixture.app.url}/v1/agents/${id}`
  const extended = async (method: string): Promise<Card> =>
    (await fixture.rpc(method, {}, { at, token })).body.result
  return {
    hybrid: await cardOf(id),
    strict: await cardOf(id, strictly),
    legacy: await cardOf(id, {}, 'agent.json'),
    'extended 0.3': await extended('agent/getAuthenticatedExtendedCard'),
    'extended 1.0': await extended('GetExtendedAgentCard'),
  }
}
const publicKeys = async (): Promise<(JsonWebKey & { kid: string })[]> =>
  (await (await fetch(`${fixture.app.url}/.well-known/jwks.json`)).json()).keys

/** RFC 8785 by hand: names in order at every depth. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Whether the first signature of a card, as it is, was made with the key that it names (RFC 7515, by hand). */
function isSigned({ signatures, ...card }: Card, keys: (JsonWebKey & { kid: string })[]): boolean {
  const [{ protected: header, signature } = { protected: '', signature: '' }] = signatures
  const { kid, alg } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const key = keys.find((each) => each.kid === kid)
  if (key === undefined || alg !== 'EdDSA') return false
  const payload = Buffer.from(JSON.stringify(card, inOrder)).toString('base64url')
  return verify(
    null,
    Buffer.from(`${header}.${payload}`),
    createPublicKey({ key, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  )
}

test('a card is signed by the platform in every form, and no byte of it can be changed', async () => {
  const agent = await fixture.newAgent({ name: 'Käufer "7" \u{1F680}', skills: [] })
  const keys = await publicKeys()
  for (const [form, card] of Object.entries(await cardsOf(agent.id))) {
    expect(isSigned(card, keys), form).toBe(true)
    expect(card.signatures, form).toHaveLength(1)
    const header = JSON.parse(Buffer.from(card.signatures[0]?.protected ?? '', 'base64url').toString())
    expect(header, form).toEqual({
      alg: 'EdDSA',
      kid: keys[0]?.kid,
      typ: 'JOSE',
      jku: 'https://wallet.example.test/.well-known/jwks.json',
    })
    const { signatures, ...rest } = card
    const text = JSON.stringify(rest)
    for (let at = 0; at < text.length; at += 17) {
      const letter = text[at] ?? ''
      if (!/[a-z]/.test(letter)) continue
      const other = `${text.slice(0, at)}${letter === 'z' ? 'a' : 'z'}${text.slice(at + 1)}`
      let changed: Card
      try {
        changed = { ...JSON.parse(other), signatures }
      } catch {
        continue
      }
      expect(isSigned(changed, keys), `${form} ${at}`).toBe(false)
    }
    expect(isSigned({ ...card, iconUrl: 'https://evil.example/icon.png' }, keys), form).toBe(false)
    const { description: _, ...without } = card
    expect(isSigned(without as Card, keys), form).toBe(false)
  }
})

test('the official client verifies the card of 1.0 by the published key, and refuses another', async () => {
  const keys = await publicKeys()
  const asked: unknown[] = []
  const verified = verifyAgentCardSignature(async (kid, jku) => {
    asked.push([kid, jku])
    return createPublicKey({ key: keys.find((key) => key.kid === kid) ?? {}, format: 'jwk' })
  })
  // As it came: what the client reads of it has no security schemes any more.
  const card = (await cardOf(fixture.agent.id, strictly)) as unknown as AgentCard
  await verified(card)
  expect(asked).toEqual([[keys[0]?.kid, 'https://wallet.example.test/.well-known/jwks.json']])
  // It says on the console what it does not verify.
  vi.spyOn(console, 'debug').mockReturnValue()
  await expect(verified({ ...card, name: 'Another' })).rejects.toThrow(/No valid signatures/)
})

test('nothing in a card is empty, whatever the agent says about itself', async () => {
  const skills = [{ id: 's1', name: 'Skill', description: '' }]
  const agent = await fixture.newAgent({ name: 'Quiet', description: ' ', skills })
  for (const [form, card] of Object.entries(await cardsOf(agent.id))) {
    expect(card.description, form).toMatch(/^Quiet works for /)
    expect(card.skills[0], form).toEqual({ id: 's1', name: 'Skill', description: 'Skill.', tags: ['wallet'] })
    expect(JSON.stringify(card), form).not.toMatch(/""|\[\]|\{\}|null/)
  }
})

test('the skills of a card are those of its owner and the tools that its policy leaves', async () => {
  const { app, owner, tenant, newAgent } = fixture
  const reading = ['get_policy', 'get_balance', 'get_transaction']
  const local = { allowed_chains: ['local', 'base'] }
  const allowed_tokens = [{ chain: 'local', token: anyAddress() }]
  const idsOf = async (id: string) => (await cardOf(id, strictly)).skills.map((skill) => skill.id)
  const own = { id: 'invoices', name: 'Invoices', description: 'Pays invoices.', tags: ['billing'] }
  const agent = await newAgent({ skills: [own], policy: { ...local, allowed_methods: ['signMessage'] } })
  expect(await idsOf(agent.id)).toEqual(['invoices', ...reading, 'sign_message'])
  const [first, ...others] = (await cardOf(agent.id)).skills
  expect(first).toEqual(own)
  expect(others.at(-1)).toEqual({
    id: 'sign_message',
    name: 'Sign messages',
    description: 'Signs messages with its wallet, within its policy.',
    tags: ['wallet', 'base', 'local'],
  })
  const path = `/v1/orgs/${tenant.id}/agents/${agent.id}`
  const policy = { ...local, allowed_methods: ['signMessage', 'sendTransaction'], allowed_tokens }
  expect((await callAs(app, owner, ['PATCH', path, { policy }])).status).toBe(200)
  const all = ['sign_message', 'send_transaction', 'send_user_operation', 'pay']
  expect(await idsOf(agent.id)).toEqual(['invoices', ...reading, ...all])
  const rules = (body: object) => callAs(app, owner, ['PUT', `/v1/orgs/${tenant.id}/rules`, body])
  expect((await rules({ blocked_chains: ['local'], token_mode: 'none' })).status).toBe(200)
  expect(await idsOf(agent.id)).toEqual(['invoices', ...reading, 'sign_message'])
  expect((await rules({})).status).toBe(200)
})
