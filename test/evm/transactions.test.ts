import { forgetRates, login, makeTenant, makeWallet, startTestApp } from '@symbolon/testing/app'
import {
  codeOf,
  startTransactionFixture,
  stranger,
  type TransactionFixture,
  txEventTypes,
} from '@symbolon/testing/evm'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let fixture: TransactionFixture

beforeAll(async () => {
  fixture = await startTransactionFixture()
})
afterAll(() => fixture?.stop())
beforeEach(async () => {
  fixture.proxy.heal()
  await forgetRates(fixture.app)
})

describe('a prepared transaction', () => {
  test('is signed, sent and mined as it is, and both steps are in the audit log', async () => {
    const owner = await fixture.newOwner()
    const prepared = await fixture.prepare(owner, { to: stranger.address.toLowerCase(), value: '1000' })
    expect(prepared).toMatchObject({ status: 200, error: null })
    expect(prepared.data).toEqual({
      chain: 'local',
      chain_id: '0x7a69',
      nonce: '0x0',
      from: owner.wallet.addresses['evm'],
      to: stranger.address,
      data: '0x',
      value: '0x3e8',
      gas_limit: '0x5208',
      max_fee_per_gas: expect.stringMatching(/^0x[1-9a-f][0-9a-f]*$/),
      max_priority_fee_per_gas: expect.stringMatching(/^0x(0|[1-9a-f][0-9a-f]*)$/),
    })
    const { raw, hash } = await fixture.sign(owner, prepared.data)
    const before = BigInt(await fixture.node.call<Hex>('eth_getBalance', [stranger.address, 'latest']))
    const sent = await fixture.broadcast(owner, raw)
    expect(sent).toMatchObject({
      status: 200,
      data: { chain: 'local', chain_id: '0x7a69', tx_hash: hash },
    })
    expect(await fixture.receiptOf(hash)).toMatchObject({
      status: '0x1',
      from: owner.address.toLowerCase(),
    })
    expect(BigInt(await fixture.node.call<Hex>('eth_getBalance', [stranger.address, 'latest']))).toBe(
      before + 1000n,
    )
    const who = { success: true, error_code: '', actor_type: 'end_user', actor_id: owner.user.id }
    expect(await fixture.eventsOf(owner)).toEqual([
      { type: txEventTypes.prepared, ...who, payload: { chain: 'local' } },
      { type: txEventTypes.broadcast, ...who, payload: { chain: 'local', tx_hash: hash } },
    ])
  })

  test('counts the transactions that still wait for a block', async () => {
    const owner = await fixture.newOwner()
    await fixture.chain.faults.stallMining()
    try {
      expect(codeOf(await fixture.broadcast(owner, (await fixture.signedTransfer(owner)).raw))).toBe(200)
      expect((await fixture.prepare(owner, { to: stranger.address })).data.nonce).toBe('0x1')
    } finally {
      await fixture.chain.faults.resumeMining()
    }
  })

  test('gets a fifth more gas than a call is estimated to need, and exactly what is given instead', async () => {
    const owner = await fixture.newOwner()
    const poke = fixture.call('poke')
    const estimate = BigInt(
      await fixture.node.call<Hex>('eth_estimateGas', [{ from: owner.address, ...poke }]),
    )
    expect(BigInt((await fixture.prepare(owner, poke)).data.gas_limit)).toBe((estimate * 6n) / 5n)
    expect(BigInt((await fixture.prepare(owner, { ...poke, gas_limit: '123456' })).data.gas_limit)).toBe(
      123_456n,
    )
  })

  test('that reverts is refused with the reason, unless the gas limit is given', async () => {
    const owner = await fixture.newOwner()
    const refused = await fixture.prepare(owner, fixture.call('fail'))
    expect(codeOf(refused)).toBe('422 estimate_gas_reverted')
    expect(refused.error).toMatchObject({
      message: 'DevTarget: no',
      details: { reason: 'DevTarget: no', data: expect.stringMatching(/^0x08c379a0/) },
    })
    expect((await fixture.prepare(owner, fixture.call('failCustom', [7n]))).error?.code).toBe(
      'estimate_gas_reverted',
    )
    expect(codeOf(await fixture.prepare(owner, { ...fixture.call('fail'), gas_limit: '100000' }))).toBe(200)
    expect((await fixture.eventsOf(owner)).map(({ success, error_code }) => [success, error_code])).toEqual([
      [false, 'estimate_gas_reverted'],
      [false, 'estimate_gas_reverted'],
      [true, ''],
    ])
  })

  test('that its wallet cannot pay for is refused with the node’s reason', async () => {
    const owner = await fixture.newOwner(0n)
    const refused = await fixture.prepare(owner, { ...fixture.call('poke'), value: '1' })
    expect(codeOf(refused)).toBe('422 estimate_gas_reverted')
    expect(refused.error?.message).toMatch(/insufficient funds/i)
  })

  test('is checked against the funds where that is asked for, at the price that is asked for', async () => {
    const owner = await fixture.newOwner(0n)
    const transfer = { to: stranger.address, gas_limit: '21000' }
    const priced = { ...transfer, max_fee_per_gas: '7' }
    expect((await fixture.prepare(owner, priced)).data).toMatchObject({
      max_fee_per_gas: '0x7',
      max_priority_fee_per_gas: '0x7',
    })
    const refused = await fixture.prepare(owner, { ...priced, check_funds: true })
    expect(refused.error).toMatchObject({
      code: 'estimate_gas_reverted',
      message:
        'Insufficient funds: the wallet has 0 ETH and this needs 0.000000000000147 ETH, fees included.',
      details: { needed: '147000', balance: '0', asset: 'ETH' },
    })
  })

  test('needs a recipient: absent or no text is an invalid request, no address is a bad recipient', async () => {
    const owner = await fixture.newOwner(0n)
    const answers = async (values: unknown[]) =>
      Promise.all(values.map(async (to) => codeOf(await fixture.prepare(owner, { to, gas_limit: '21000' }))))
    expect(await answers([undefined, null, 1, {}])).toEqual(Array(4).fill('400 invalid_request'))
    const { address } = stranger
    expect(
      await answers([
        '',
        '0x',
        address.slice(2),
        `${address}00`,
        address.slice(0, -1),
        `0X${address.slice(2)}`,
        `0x${'zz'.repeat(20)}`,
      ]),
    ).toEqual(Array(7).fill('400 bad_to'))
    const lower = address.toLowerCase()
    // The last one has a checksum that is wrong.
    const spellings = [
      address,
      lower,
      `0x${address.slice(2).toUpperCase()}`,
      lower.replace(/[a-f]/, (letter) => letter.toUpperCase()),
    ]
    expect(await answers(spellings)).toEqual([200, 200, 200, 200])
  })

  test('is of the user’s EVM wallet, whatever other wallets there are', async () => {
    const user = await login(fixture.app, fixture.tenant)
    expect(codeOf(await fixture.prepare({ user }, { to: stranger.address }))).toBe('404 wallet_not_found')
    await makeWallet(fixture.app, user, 'ed25519')
    expect(codeOf(await fixture.prepare({ user }, { to: stranger.address }))).toBe('409 wallet_not_evm')
    const { address } = await makeWallet(fixture.app, user)
    expect((await fixture.prepare({ user }, { to: stranger.address })).data.from).toBe(address)
  })
})

describe('a chain', () => {
  test('that is unknown, of another network, not wired or not enabled is unsupported', async () => {
    const owner = await fixture.newOwner(0n)
    const { raw } = await fixture.signedTransfer(owner)
    for (const handle of ['', 'nowhere', 'solana', 'base', 'local-2', '__proto__']) {
      const json = { chain: handle, to: stranger.address, gas_limit: '21000' }
      const expected = handle === '' ? '400 invalid_request' : '400 chain_unsupported'
      expect(codeOf(await fixture.prepare(owner, json)), handle).toBe(expected)
      const sent = await fixture.app.call('POST', '/v1/wallets/evm/broadcast-tx', {
        ...owner.user,
        json: { chain: handle, raw_tx: raw },
      })
      expect(codeOf(sent), handle).toBe(expected)
    }
    const other = await makeTenant(fixture.app, { supportedNetworks: ['bitcoin', 'solana'] })
    const user = await login(fixture.app, other)
    await makeWallet(fixture.app, user)
    expect(codeOf(await fixture.prepare({ user }, { to: stranger.address }))).toBe('400 chain_unsupported')
  })

  test('without a node leaves the routes away', async () => {
    const bare = await startTestApp({ installation: fixture.app })
    try {
      const { user } = await fixture.newOwner(0n)
      for (const path of ['prepare-tx', 'broadcast-tx']) {
        for (const method of ['POST', 'GET']) {
          const answer = await bare.call(method, `/v1/wallets/evm/${path}`, { ...user })
          expect(codeOf(answer), `${method} ${path}`).toBe('404 not_found')
        }
        expect(codeOf(await fixture.app.call('GET', `/v1/wallets/evm/${path}`))).toBe(
          '405 method_not_allowed',
        )
      }
    } finally {
      await bare.stop()
    }
  })

  test('whose node hangs, breaks or is gone costs a retry, never more than five seconds', async () => {
    const owner = await fixture.newOwner()
    const { raw } = await fixture.signedTransfer(owner)
    for (const fault of [
      { kind: 'cut' },
      { kind: 'body', status: 200, text: '{}' },
      { kind: 'hang' },
    ] as const) {
      fixture.proxy.fault('*', fault)
      const startedAt = performance.now()
      const [prepared, sent] = await Promise.all([
        fixture.prepare(owner, { to: stranger.address }),
        fixture.broadcast(owner, raw),
      ])
      expect(performance.now() - startedAt).toBeLessThan(8_000)
      expect([codeOf(prepared), codeOf(sent)]).toEqual(['502 rpc_failed', '502 broadcast_failed'])
      expect(sent.error?.message).toMatch(/^The chain did not answer: /)
      expect(sent.text).not.toContain(fixture.proxy.url)
      fixture.proxy.heal()
    }
    expect(codeOf(await fixture.broadcast(owner, raw))).toBe(200)
    const outcomes = (await fixture.eventsOf(owner)).filter(({ type }) => type === txEventTypes.broadcast)
    expect(outcomes.map(({ success, error_code }) => [success, error_code])).toEqual([
      ...Array(3).fill([false, 'broadcast_failed']),
      [true, ''],
    ])
  })
})

describe('a signed transaction', () => {
  test('is taken once and known ever after, in either case of its hex', async () => {
    const owner = await fixture.newOwner()
    const { raw, hash } = await fixture.signedTransfer(owner)
    const forms = [raw, raw, `0x${raw.slice(2).toUpperCase()}`]
    for (const form of forms) {
      expect(await fixture.broadcast(owner, form)).toMatchObject({ status: 200, data: { tx_hash: hash } })
    }
    const all = await Promise.all(Array.from({ length: 8 }, () => fixture.broadcast(owner, raw)))
    expect(new Set(all.map(codeOf))).toEqual(new Set([200]))
    expect(await fixture.node.call('eth_getTransactionCount', [owner.address, 'latest'])).toBe('0x1')
  })

  test('that arrived is a success though the answer was lost', async () => {
    const owner = await fixture.newOwner()
    const { raw, hash } = await fixture.signedTransfer(owner)
    fixture.proxy.fault('eth_sendRawTransaction', { kind: 'drop' })
    expect(await fixture.broadcast(owner, raw)).toMatchObject({ status: 200, data: { tx_hash: hash } })
    expect(await fixture.receiptOf(hash)).toMatchObject({ status: '0x1' })
  })

  test('has to be hex, of type 2, canonical, of the chain and of the wallet', async () => {
    const owner = await fixture.newOwner()
    const other = await fixture.newOwner()
    const { raw } = await fixture.signedTransfer(owner)
    const { data } = await fixture.prepare(owner, { to: stranger.address, gas_limit: '21000' })
    const elsewhere = await fixture.sign(owner, { ...data, chain_id: '0x1' }, 'ethereum')
    const fields = { to: stranger.address, nonce: 0, gas: 21_000n }
    const legacy = { ...fields, type: 'legacy', chainId: 31_337, gasPrice: 2_000_000_000n } as const
    const cases: [string, string][] = [
      ['', '400 bad_raw_tx'],
      ['0x', '400 bad_raw_tx'],
      [raw.slice(2), '400 bad_raw_tx'],
      [`${raw}0`, '400 bad_raw_tx'],
      ['0xzz', '400 bad_raw_tx'],
      [`0X${raw.slice(2)}`, '400 bad_raw_tx'],
      ['0x02', '400 bad_raw_tx'],
      [`${raw}00`, '400 bad_raw_tx'],
      [raw.slice(0, -2), '400 bad_raw_tx'],
      [highS(raw), '400 bad_raw_tx'],
      [(await fixture.signedTransfer(other)).raw, '400 bad_raw_tx'],
      [elsewhere.raw, '400 bad_raw_tx'],
      [`0x01${raw.slice(4)}`, '400 unsupported_tx_type'],
      [`0x03${raw.slice(4)}`, '400 unsupported_tx_type'],
      [await stranger.signTransaction(legacy), '400 unsupported_tx_type'],
    ]
    const sends = fixture.proxy.calls('eth_sendRawTransaction')
    for (const [text, expected] of cases)
      expect(codeOf(await fixture.broadcast(owner, text)), text).toBe(expected)
    expect(codeOf(await fixture.broadcast(owner, { raw }))).toBe('400 invalid_request')
    expect(fixture.proxy.calls('eth_sendRawTransaction')).toBe(sends)
  })

  test('that the chain refuses is reported with its reason, and is a failed event', async () => {
    const owner = await fixture.newOwner()
    expect(codeOf(await fixture.broadcast(owner, (await fixture.signedTransfer(owner)).raw))).toBe(200)
    const replayed = await fixture.broadcast(
      owner,
      (await fixture.signedTransfer(owner, { nonce: '0x0', value: '0x2' })).raw,
    )
    expect(codeOf(replayed)).toBe('502 broadcast_failed')
    expect(replayed.error?.message).toMatch(/nonce too low/i)
    const poor = await fixture.broadcast(
      owner,
      (await fixture.signedTransfer(owner, { value: '0xde0b6b3a7640001' })).raw,
    )
    expect(poor.error?.message).toMatch(/insufficient funds/i)
    const failed = (await fixture.eventsOf(owner)).filter(({ success }) => !success)
    expect(failed).toHaveLength(2)
    for (const event of failed) {
      expect(event).toMatchObject({ type: txEventTypes.broadcast, error_code: 'broadcast_failed' })
      expect(event['payload']).toEqual({ chain: 'local', tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    }
  })
})

/** The same transaction with the other s, which the curve takes and Ethereum does not (EIP-2). */
function highS(raw: Hex): Hex {
  const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = BigInt(`0x${raw.slice(-64)}`)
  return `0x${raw.slice(2, -64)}${(n - s).toString(16).padStart(64, '0')}`
}
