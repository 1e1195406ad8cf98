import { expect, test } from 'vitest'
import { agentCompany, mintFor } from './support/portal-agents.ts'
import { newCompany, portalFixture, type Visitor } from './support/portal-fixture.ts'
import { runCurl } from './support/run-curl.ts'

const { visitor, dev } = portalFixture()
const boundless = 'Nothing limits what this agent can lose'

type Agents = { items: { policy: Record<string, unknown> }[] }

const copied = ({ page }: Visitor) => page.evaluate(() => navigator.clipboard.readText())
const focused = ({ page }: Visitor) => page.evaluate(() => document.activeElement?.id)
const inDialog = ({ page }: Visitor, name: string) => page.getByRole('dialog').getByRole('button', { name })
const walletsOf = ({ page }: Visitor) => page.getByRole('group', { name: 'Wallet' })

test('an agent without limits is created only after a confirmation, and its page warns until it has a limit', async () => {
  const owner = await visitor({ email: 'boundless@example.test' })
  const { page, click, see, call } = owner
  const { id, at } = await agentCompany(owner, 'boundless', dev().base_url)
  await owner.go(`${at}/agents?create=true`)
  await page.getByLabel('Name', { exact: true }).fill('Spender')
  await walletsOf(owner).getByRole('radio').check()
  await see('This wallet belongs to bot@example.test')
  await see('The list is empty, so the agent can’t send to any recipient.')
  const part = (name: string) => page.getByRole('group', { name })
  const total = page.getByLabel('Total', { exact: true })
  await inDialog(owner, 'Create agent').click()
  expect(await focused(owner)).toBe(await total.getAttribute('id'))

  await part('Total').getByText('No limit').click()
  await see('It can spend all native coins of the wallet.')
  expect(await page.getByText(boundless).count()).toBe(0)
  await part('Recipients').getByText('Anyone').click()
  await part('Chains').getByText('All', { exact: true }).click()
  await see('It can send all of the wallet’s native currency to anyone, on every chain, without an end date.')
  await inDialog(owner, 'Create agent').click()
  const meant = page.getByLabel(/^I want no limit/)
  expect(await meant.evaluate((box) => box === document.activeElement)).toBe(true)
  expect((await call<Agents>('GET', `/v1/orgs/${id}/agents`)).items).toEqual([])
  await meant.check()
  await inDialog(owner, 'Create agent').click()
  await see('Endpoints')
  await see(boundless)
  expect((await call<Agents>('GET', `/v1/orgs/${id}/agents`)).items[0]?.policy).toEqual({})

  // It has been said before: other changes need not say it again.
  await click('Edit')
  await click('Save')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await click('Edit')
  await part('Total').getByText('At most').click()
  await total.fill('1000')
  await click('Save')
  await page.getByText(boundless).waitFor({ state: 'detached' })
}, 60_000)

test('the wrong field has the focus after the button, wherever the page was scrolled', async () => {
  const owner = await visitor({ email: 'wrong@example.test' })
  const { page, see } = owner
  const { at } = await agentCompany(owner, 'wrong', dev().base_url)
  await owner.go(`${at}/agents?create=true`)
  const button = inDialog(owner, 'Create agent')
  await page.getByLabel('Name', { exact: true }).fill('Mistaken')
  await walletsOf(owner).getByRole('radio').check()
  await page.getByLabel('Total', { exact: true }).fill('1')
  const fee = page.getByLabel('Fee per transaction', { exact: true })
  await fee.fill('much')
  await button.scrollIntoViewIfNeeded()
  await button.click()
  expect(await focused(owner)).toBe(await fee.getAttribute('id'))
  await fee.fill('')

  // What the API refuses too.
  await page.getByLabel('Allowed recipients').fill('x'.repeat(999))
  await page.getByLabel('Name', { exact: true }).focus()
  await button.click()
  await see(/allowed_recipients/)
  const list = page.getByLabel('Allowed recipients')
  await expect.poll(() => list.evaluate((one) => one === document.activeElement)).toBe(true)
}, 60_000)

test('a wallet is found among many by its owner, address or id; only those of people who can log in are warned of', async () => {
  const owner = await visitor({ email: 'many@example.test' })
  const { page, click, see } = owner
  const { at, asBackend, walletId } = await agentCompany(owner, 'many', dev().base_url)
  for (let i = 0; i < 6; i++) await asBackend('POST', '/v1/s2s/wallets', { email: `user-${i}@example.test` })
  await asBackend('POST', '/v1/s2s/wallets', { provider_user_id: 'bot-77' })
  await owner.go(`${at}/agent-sessions?mint=true`)
  const choice = walletsOf(owner).getByRole('radio')
  await see('Showing the newest 5 of 8. Search to find others.')
  expect(await choice.count()).toBe(5)
  // Nothing is filled in that nobody chose.
  await click('Copy mint')
  expect(await copied(owner)).toContain('"wallet_id": "…"')
  await walletsOf(owner).getByText('bot-77').click()
  const warning = page.getByText(/^This wallet belongs to/)
  expect(await warning.count()).toBe(0)

  const search = page.getByLabel('Search wallets by email, address or ID')
  for (const text of [walletId, 'Bot@example.test']) {
    await search.fill(text)
    await search.press('Enter')
    // What is chosen stays in sight.
    await walletsOf(owner).getByText('bot@example.test', { exact: true }).waitFor()
    await expect.poll(() => choice.count()).toBe(text === walletId ? 2 : 1)
    await walletsOf(owner).getByText('bot@example.test', { exact: true }).click()
  }
  await see('This wallet belongs to bot@example.test')
  await see(
    /Anyone with access to that mailbox can log in and sign with this wallet, without the agent’s limits/,
  )
  await click('Copy mint')
  expect(await copied(owner)).toContain(`"wallet_id": "${walletId}"`)
  await search.fill('nobody@example.test')
  await search.press('Enter')
  await see('No active wallet matches.')
}, 60_000)

test('the quick start leads to an agent that signs within its limits and is refused beyond', async () => {
  const owner = await visitor({ email: 'quick@example.test' })
  const { page, click, see } = owner
  const { at } = await newCompany(owner, { slug: 'quick' })
  // One chain has a node here: the examples name that one.
  await page.route('**/v1/orgs/*/chains', async (route) => {
    const { data, error } = await (await route.fetch()).json()
    const items = data.items.map((chain: { handle: string }) => ({
      ...chain,
      rpc: chain.handle === 'optimism',
    }))
    await route.fulfill({ json: { data: { items }, error } })
  })
  await owner.go(`${at}/quick-start`)
  await click('Create both keys')
  await page.getByLabel('Publishable key').waitFor()
  const copy = async (what: string) => {
    await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click()
    return await copied(owner)
  }
  const wallet = await runCurl<{ id: string }>(await copy('agent wallet'))
  expect(wallet.status).toBe(201)
  await see('Your wallet exists, and its ID is in the next snippet.')
  const session = await runCurl<{ wallet_id: string; token: string }>(await copy('session'))
  expect(session).toMatchObject({
    status: 201,
    data: { wallet_id: wallet.data.id, allowed_chains: ['optimism'] },
  })
  const { token } = session.data
  expect((await runCurl(await copy('payment'), token)).status).toBe(200)
  expect(await runCurl(await copy('refused payment'), token)).toMatchObject({
    status: 403,
    error: { details: { reason: 'per_tx_cap_exceeded' } },
  })

  await owner.go(`${at}/wallets?wallet=${wallet.data.id}`)
  await page.getByRole('dialog').getByRole('link', { name: 'bot-77' }).click()
  await see('per_tx_cap_exceeded')

  await owner.go(`${at}/agents?create=true`)
  await see(/“send 0.01 ETH on optimism to 0x…”/)
  await walletsOf(owner).getByText('bot-77').click()
  await page.getByLabel('Name', { exact: true }).fill('Example')
  await page.getByLabel('Total', { exact: true }).fill('0.02')
  await inDialog(owner, 'Create agent').click()
  await see(/“balance on optimism”/)
  await click('Start run')
  await see('send 0.01 ETH on optimism to 0x…')
  expect(await page.getByText(/base|sepolia/).count()).toBe(0)
}, 60_000)

test('a run that signed and ended never shows an empty list of signing requests', async () => {
  const owner = await visitor({ email: 'ended@example.test' })
  const { page, see, call } = owner
  const { id, at, walletId } = await agentCompany(owner, 'ended', dev().base_url)
  const agents = `/v1/orgs/${id}/agents`
  const agent = await call<{ id: string }>('POST', agents, { name: 'Scribe', wallet_id: walletId })
  const run = await call<{ id: string }>('POST', `${agents}/${agent.id}/runs`, {
    objective: 'sign message: hello',
  })
  const path = `${agents}/${agent.id}/runs/${run.id}`
  const ended = () => call<{ ended_at: string | null }>('GET', path)
  await expect.poll(async () => (await ended()).ended_at).not.toBeNull()
  // As they answer before the run has signed: once each.
  await page.route(
    `**${path}`,
    async (route) => {
      const answer = await route.fetch()
      const { data, error } = await answer.json()
      await route.fulfill({ json: { data: { ...data, state: 'running', ended_at: null }, error } })
    },
    { times: 1 },
  )
  await page.route(
    `**${path}/events**`,
    async (route) => {
      const answer = await route.fetch()
      const { data, error } = await answer.json()
      await route.fulfill({ json: { data: { ...data, items: [], total: 0 }, error } })
    },
    { times: 1 },
  )
  await owner.go(`${at}/agents/${agent.id}/runs/${run.id}`)
  await see('No signing requests yet.')
  await see('Completed')
  expect(await page.getByText('No signing requests').count()).toBe(0)
  await see('Signed')
}, 60_000)

test('the largest and the smallest amounts fit wide and narrow pages', async () => {
  const owner = await visitor({ email: 'huge@example.test', width: 390 })
  const { page, see, call } = owner
  const company = await agentCompany(owner, 'huge', dev().base_url)
  const most = String(2n ** 256n - 1n)
  const policy = { max_spend_total_native: most, max_spend_per_tx_native: most }
  const { id: sessionId } = await mintFor(company, { ...policy, allowed_chains: ['base', 'near'] })
  await mintFor(company, { name: 'Dust', max_spend_total_native: '1', max_spend_per_tx_native: '1' })
  const agent = await call<{ id: string }>('POST', `/v1/orgs/${company.id}/agents`, {
    name: 'Huge',
    wallet_id: company.walletId,
    policy,
  })
  const beyond = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await owner.go(`${company.at}/agent-sessions/${sessionId}`)
  await see(/115,792,089,237/)
  expect(await beyond()).toBe(0)
  // No text is wider than its card either, where that hides it.
  const cut = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main section *')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
        .filter(
          (one) => getComputedStyle(one).display !== 'inline' && !one.closest('.truncate, .sr-only, pre'),
        )
        .map((one) => one.outerHTML.slice(0, 120)),
    )
  expect(await cut()).toEqual([])
  await owner.go(`${company.at}/agents/${agent.id}`)
  await see(/115,792,089,237/)
  expect([await beyond(), await cut()]).toEqual([0, []])
  await owner.go(`${company.at}/agent-sessions`)
  await see('1e-18 ETH left')
}, 60_000)

test('sessions are found by id and agents by name, by the keyboard alone', async () => {
  const owner = await visitor({ email: 'finder@example.test' })
  const { page, see, call } = owner
  const company = await agentCompany(owner, 'finder', dev().base_url)
  const { id, at, walletId } = company
  await call('POST', `/v1/orgs/${id}/agents`, { name: 'Quartermaster', wallet_id: walletId })
  const { id: sessionId } = await mintFor(company)
  const { id: otherWallet } = await company.asBackend<{ id: string }>('POST', '/v1/s2s/wallets', {
    provider_user_id: 'bot-77',
  })
  await mintFor({ ...company, walletId: otherWallet }, { name: 'Of another wallet' })
  await owner.go(`${at}/agent-sessions`)
  await see('Of another wallet')
  await page.keyboard.press('/')
  await page.keyboard.type(walletId)
  await page.keyboard.press('Enter')
  await page.getByText('Of another wallet').waitFor({ state: 'detached' })
  await see('Shopping bot')
  await page.getByLabel('Search sessions').fill(sessionId)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Open the session with this ID' }).click()
  await page.waitForURL(`**/agent-sessions/${sessionId}`)

  // A wallet names who signs with it.
  await owner.go(`${at}/wallets?wallet=${walletId}`)
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('link', { name: 'Shopping bot' }).waitFor()
  await drawer.getByRole('link', { name: 'Quartermaster agent' }).click()
  await see('Endpoints')

  await owner.go(`${at}/wallets`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('quarter')
  await page.getByRole('option', { name: 'Quartermaster' }).waitFor()
  await page.keyboard.press('Enter')
  await see('Endpoints')
}, 60_000)

test('the networks page says who chose the networks of a company', async () => {
  const owner = await visitor({ email: 'networks@example.test' })
  const company = { name: 'Chosen', country: 'DE', signing_mode: 'tee' }
  await owner.call('POST', '/v1/orgs', { ...company, slug: 'every-network' })
  await owner.call('POST', '/v1/orgs', { ...company, slug: 'one-network', supported_networks: ['evm'] })
  await owner.go('/portal/o/every-network/networks')
  await owner.see('Companies created in the portal have every network.')
  await owner.go('/portal/o/one-network/networks')
  await owner.see('Chosen through the API when the company was created.')
})
