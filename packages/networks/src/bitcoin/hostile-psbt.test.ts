import { p2pkh, Script, Transaction } from '@scure/btc-signer'
import { describe, expect, test } from 'vitest'
import { concat } from '../codec/concat.ts'
import { toHex } from '../codec/hex.ts'
import { decodeForAgent, preview, signingDigests } from '../testing/by-intent.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { payTo, sampleKeys, samplePsbt } from '../testing/random-psbt.fuzz.ts'
import { littleEndian32 } from './compact-size.ts'
import { encodePsbt, type Psbt, type PsbtMap, readPsbt, withField } from './psbt.ts'
import { psbtTransaction } from './psbt-transaction.ts'

const wallet = testKey('secp256k1', 0)
const other = testKey('secp256k1', 1)
const { publicKey } = wallet
type Kind = 'p2wpkh' | 'p2tr'
type Input = { kind: Kind; owner?: typeof wallet; amount?: bigint; isProven?: boolean }
type Output = { script: Uint8Array; amount: bigint }
const toOther: Output = { script: payTo(other.publicKey, 'p2wpkh').script, amount: 50_000n }

/** A PSBT of given inputs (each of 100,000 satoshi unless said) and outputs. */
function build(inputs: Input[], outputs: Output[] = [toOther], version: 0 | 2 = 0): Uint8Array {
  const transaction = new Transaction({ PSBTVersion: version, allowUnknownOutputs: true, version: 2 })
  for (const [at, { kind, owner = wallet, amount = 100_000n, isProven = false }] of inputs.entries()) {
    const { script } = payTo(owner.publicKey, kind)
    const previous = new Transaction()
    previous.addInput({ txid: new Uint8Array(32).fill(at + 1), index: at })
    previous.addOutput({ script, amount })
    transaction.addInput({
      txid: previous.id,
      index: 0,
      witnessUtxo: { script, amount },
      ...(isProven && { nonWitnessUtxo: previous.unsignedTx }),
    })
  }
  for (const output of outputs) transaction.addOutput(output)
  return transaction.toPSBT(version)
}

const intentOf = (bytes: Uint8Array, chain = 'bitcoin') =>
  ({ kind: 'transaction', network: 'bitcoin', chain, bytes }) as const
const shown = (bytes: Uint8Array, chain?: string) => preview(intentOf(bytes, chain), 'secp256k1', publicKey)

/** Preview, digests and signing must all say no. */
function refused(bytes: Uint8Array): void {
  const no = expect.objectContaining({ name: 'NetworkError', code: 'invalid_payload' })
  expect(() => shown(bytes)).toThrow(no)
  expect(() => signingDigests(intentOf(bytes), 'secp256k1', publicKey)).toThrow(no)
  expect(() => signIntent(intentOf(bytes), wallet)).toThrow(no)
}

const edit = (bytes: Uint8Array, change: (psbt: Psbt) => Partial<Psbt>) => {
  const psbt = readPsbt(bytes)
  return encodePsbt({ ...psbt, ...change(psbt) })
}
const withInput = (bytes: Uint8Array, at: number, change: (map: PsbtMap) => PsbtMap) =>
  edit(bytes, ({ inputs }) => ({ inputs: inputs.map((map, index) => (index === at ? change(map) : map)) }))
const put = (type: number, value: Uint8Array) => (map: PsbtMap) =>
  withField(map, { key: Uint8Array.of(type), value })
const drop = (type: number) => (map: PsbtMap) => map.filter(({ key }) => key[0] !== type)

describe('amounts', () => {
  test('of several P2WPKH inputs need the previous transactions, of a single one, of taproot alone or beside a proven taproot coin they do not', () => {
    const bare: Input = { kind: 'p2wpkh' }
    const proven: Input = { kind: 'p2wpkh', isProven: true }
    refused(build([bare, bare]))
    refused(build([bare, proven]))
    refused(build([bare, { kind: 'p2wpkh', owner: other, isProven: true }]))
    refused(build([bare, { kind: 'p2tr', owner: other }]))
    refused(build([proven, { kind: 'p2wpkh', owner: other }]))
    // A coin of somebody else's, of another kind, that is only called the wallet's.
    refused(build([bare, bare, { kind: 'p2tr', amount: 0n }]))
    refused(build([proven, { kind: 'p2tr' }]))
    for (const inputs of [
      [bare],
      [proven, proven],
      [bare, { kind: 'p2tr', isProven: true } as const],
      [{ kind: 'p2tr' } as const, { kind: 'p2tr', owner: other } as const],
      [proven, { kind: 'p2wpkh', owner: other, isProven: true } as const],
    ]) {
      expect(shown(build(inputs)).fee?.amount).toBe(String(inputs.length * 100_000 - 50_000))
    }
  })

  test('two requests for one transaction that call the other input final cannot hide its fee', () => {
    const own: Output = { script: payTo(publicKey, 'p2wpkh').script, amount: 100_000n }
    const request = (signedAt: number) => {
      const inputs = [0, 1].map((at): Input => {
        return at === signedAt ? { kind: 'p2wpkh', isProven: true } : { kind: 'p2wpkh', amount: 1n }
      })
      const final = { key: Uint8Array.of(8), value: Uint8Array.of(1, 1, 0) }
      return withInput(build(inputs, [own]), 1 - signedAt, (map) => withField(map, final))
    }
    refused(request(0))
    refused(request(1))
  })

  test('of a previous transaction that is another one, or of two that disagree, are refused', () => {
    const good = build([{ kind: 'p2wpkh', isProven: true }])
    const [map = []] = readPsbt(good).inputs
    const full = map.find(({ key }) => key[0] === 0)?.value ?? new Uint8Array()
    const changed = Uint8Array.from(full)
    const last = changed.length - 30
    changed[last] = (changed[last] ?? 0) ^ 1
    refused(withInput(good, 0, put(0, changed)))
    refused(withInput(drop1(good), 0, put(0, changed)))
    refused(withInput(good, 0, put(0, full.subarray(1))))
    refused(withInput(good, 0, put(0, concat(full, Uint8Array.of(0)))))
    const [lie = []] = readPsbt(build([{ kind: 'p2wpkh', amount: 99_999n }])).inputs
    refused(withInput(good, 0, put(1, lie.find(({ key }) => key[0] === 1)?.value ?? new Uint8Array())))
    refused(withInput(drop1(good), 0, drop(0)))
  })

  test('that pay out more than comes in are refused', () => {
    const exact = { ...toOther, amount: 100_000n }
    expect(shown(build([{ kind: 'p2tr' }], [exact])).fee?.amount).toBe('0')
    refused(build([{ kind: 'p2tr' }], [{ ...exact, amount: 100_001n }]))
    refused(build([{ kind: 'p2tr' }], [exact, { ...exact, amount: 1n }]))
  })

  test('above all coins there are, are refused', () => {
    const all = 2_100_000_000_000_000n
    const ownScript = payTo(publicKey, 'p2tr').script
    expect(shown(build([{ kind: 'p2tr', amount: all }])).fee?.amount).toBe(String(all - 50_000n))
    const good = build([{ kind: 'p2tr' }])
    const tooMuch = concat(littleEndian32(0), littleEndian32(0x100000), Uint8Array.of(34), ownScript)
    refused(withInput(good, 0, put(1, tooMuch)))
  })

  const drop1 = (bytes: Uint8Array) => withInput(bytes, 0, drop(1))
})

describe('inputs', () => {
  test('of the wallet are signed with ALL or taproot DEFAULT only', () => {
    for (const [kind, allowed] of [
      ['p2wpkh', [1]],
      ['p2tr', [0, 1]],
    ] as const) {
      for (const hashType of [0, 1, 2, 3, 4, 0x41, 0x81, 0x82, 0x83, 0x100, 0x101, 0xffffffff]) {
        const bytes = withInput(build([{ kind }]), 0, put(3, littleEndian32(hashType)))
        if (allowed.some((type) => type === hashType)) expect(shown(bytes).actions).toHaveLength(1)
        else refused(bytes)
      }
    }
  })

  test('of others may ask for any sighash type', () => {
    const bytes = build([{ kind: 'p2tr' }, { kind: 'p2tr', owner: other }])
    expect(shown(withInput(bytes, 1, put(3, littleEndian32(0x83)))).actions).toHaveLength(1)
  })

  test('of the wallet that come with scripts, another internal key or a merkle root are refused', () => {
    const script = Uint8Array.of(0x51)
    for (const kind of ['p2wpkh', 'p2tr'] as const) {
      refused(withInput(build([{ kind }]), 0, put(4, script)))
      refused(withInput(build([{ kind }]), 0, put(5, script)))
      refused(withInput(build([{ kind }]), 0, put(24, new Uint8Array(32))))
      refused(withInput(build([{ kind }]), 0, put(23, other.publicKey.slice(1))))
      expect(shown(withInput(build([{ kind }]), 0, put(23, publicKey.slice(1)))).actions).toHaveLength(1)
    }
  })

  test('that are there twice are refused', () => {
    const one = build([{ kind: 'p2tr' }, { kind: 'p2tr' }], [toOther], 2)
    const [first = []] = readPsbt(one).inputs
    refused(edit(one, () => ({ inputs: [first, first] })))
  })

  test('of other wallets only are nothing to sign', () => {
    refused(build([{ kind: 'p2tr', owner: other }]))
    const final = withInput(build([{ kind: 'p2tr' }]), 0, put(8, Uint8Array.of(1, 1, 1)))
    refused(final)
  })

  test('that are final must have a witness that ends where it says', () => {
    const bytes = build([{ kind: 'p2tr' }, { kind: 'p2tr', owner: other }])
    expect(shown(withInput(bytes, 1, put(8, Uint8Array.of(1, 1, 1)))).actions).toHaveLength(1)
    refused(withInput(bytes, 1, put(8, Uint8Array.of(1, 1, 1, 0))))
    refused(withInput(bytes, 1, put(8, Uint8Array.of(2, 1, 1))))
  })

  test('are signed 128 at a time and no more, of which one of taproot counts as four', () => {
    const inputs = Array.from(
      { length: 125 },
      (_, index): Input => (index === 0 ? { kind: 'p2tr', isProven: true } : { kind: 'p2wpkh' }),
    )
    expect(signingDigests(intentOf(build(inputs)), 'secp256k1', publicKey)).toHaveLength(125)
    refused(build([...inputs, { kind: 'p2wpkh' }]))
    refused(build(inputs.with(1, { kind: 'p2tr', isProven: true })))
  })
})

describe('outputs', () => {
  const many = (count: number) => Array.from({ length: count }, () => ({ ...toOther, amount: 1n }))
  const one: Input[] = [{ kind: 'p2wpkh' }]

  test('are 2,000 at most', () => {
    expect(signingDigests(intentOf(build(one, many(2_000))), 'secp256k1', publicKey)).toHaveLength(1)
    refused(build(one, many(2_001)))
  })

  test('are 256 at most for an agent', () => {
    const decoded = (count: number) =>
      decodeForAgent(intentOf(build(one, many(count))), 'secp256k1', publicKey)
    expect(decoded(256)).toMatchObject({ trap: null, effects: { length: 256 } })
    expect(decoded(257)).toMatchObject({ trap: 'payload_undecodable', effects: { length: 256 } })
  })
})

describe('effects', () => {
  const input: Input = { kind: 'p2tr', amount: 1_000_000n }
  const change = { script: payTo(publicKey, 'p2wpkh').script, amount: 1_000n }

  test('data is a call of OP_RETURN, and what it burns is shown', () => {
    const script = Script.encode(['RETURN', Uint8Array.of(1, 2, 3)])
    const { actions, warnings } = shown(
      build(
        [input],
        [
          { script, amount: 0n },
          { script, amount: 7n },
          { ...change, amount: 999_000n },
        ],
      ),
    )
    expect(actions).toMatchObject([
      { kind: 'call', to: 'OP_RETURN', amount: null, asset: null, args: { data: '0x03010203' } },
      { kind: 'call', to: 'OP_RETURN', amount: '7', asset: 'BTC', amount_display: '0.00000007 BTC' },
    ])
    expect(warnings).toContainEqual(expect.stringContaining('destroyed'))
  })

  test('a script without an address is an unknown effect with a warning, never an error', () => {
    const p2pk = concat(Uint8Array.of(33), other.publicKey, Uint8Array.of(0xac))
    const anchor = Uint8Array.of(0x51, 2, 0x4e, 0x73)
    const future = concat(Uint8Array.of(0x52, 32), new Uint8Array(32))
    const payment = build([input], [{ ...toOther, amount: 900_000n }], 2)
    for (const script of [p2pk, anchor, future, new Uint8Array(0), Uint8Array.of(0xff)]) {
      const bytes = edit(payment, ({ outputs }) => ({ outputs: outputs.map(put(4, script)) }))
      const { actions, warnings } = shown(bytes)
      expect(actions).toMatchObject([{ kind: 'unknown', to: null, amount: '900000' }])
      expect(warnings).toContainEqual(expect.stringContaining('who can spend it is unknown'))
    }
  })

  test('a P2PKH output to the key of the wallet is not change: the wallet has no such address', () => {
    const { actions } = shown(build([input], [{ script: p2pkh(publicKey).script, amount: 900_000n }]))
    expect(actions).toHaveLength(1)
  })

  test('change only is a move within the wallet', () => {
    const { title, actions } = shown(build([input], [{ ...change, amount: 999_000n }]))
    expect([title, actions]).toEqual(['Move BTC within this wallet', []])
  })

  test('a fee above a tenth of what is sent, inputs of others and a test network are warned of', () => {
    const sends = (amount: bigint) => [
      { ...toOther, amount },
      { ...change, amount: 1_000_000n - amount - 10_000n },
    ]
    expect(shown(build([input], sends(100_000n))).warnings).toEqual([])
    expect(shown(build([input], sends(99_999n))).warnings).toEqual([expect.stringContaining('10%')])
    const shared = build([input, { ...input, owner: other }], [{ ...toOther, amount: 1_990_000n }])
    expect(shown(shared).warnings).toEqual([expect.stringContaining('others')])
    expect(shown(build([input], sends(100_000n)), 'bitcoin-testnet').warnings).toEqual([
      expect.stringContaining('main network'),
    ])
  })
})

describe('the form', () => {
  const good = build([{ kind: 'p2tr' }, { kind: 'p2tr', owner: other }])
  const goodV2 = build([{ kind: 'p2tr' }], [toOther], 2)

  test('every prefix and every rest of a PSBT is refused', () => {
    for (const bytes of [good, goodV2]) {
      for (let length = 0; length < bytes.length; length++) refused(bytes.subarray(0, length))
      refused(concat(bytes, Uint8Array.of(0)))
    }
  })

  test('a key twice, a length in a longer form, and fields of another version are refused', () => {
    refused(withInput(good, 0, (map) => [...map, ...map.slice(0, 1)]))
    const at = 5
    const longer = concat(good.subarray(0, at), Uint8Array.of(0xfd, good[at] ?? 0, 0), good.subarray(at + 1))
    refused(longer)
    const global = (change: (map: PsbtMap) => PsbtMap, bytes = good) =>
      edit(bytes, (psbt) => ({ global: change(psbt.global) }))
    for (const version of [1, 2, 3]) refused(global(put(0xfb, littleEndian32(version))))
    expect(shown(global(put(0xfb, littleEndian32(0)))).actions).toHaveLength(1)
    for (const type of [2, 3]) refused(global(put(type, littleEndian32(2))))
    refused(global(put(6, Uint8Array.of(0))))
    refused(withInput(good, 0, put(14, new Uint8Array(32))))
    const [unsigned] = readPsbt(good).global
    refused(global(put(0, unsigned?.value ?? new Uint8Array()), goodV2))
    for (const type of [2, 4, 5]) refused(global(drop(type), goodV2))
    for (const type of [14, 15]) refused(withInput(goodV2, 0, drop(type)))
    for (const type of [3, 4]) {
      refused(edit(goodV2, ({ outputs }) => ({ outputs: outputs.map(drop(type)) })))
    }
  })

  test('known fields with keys or values of a wrong length are refused, unknown ones are kept', () => {
    const named = (key: number[], value: number) => (map: PsbtMap) =>
      withField(map, { key: Uint8Array.from(key), value: new Uint8Array(value) })
    refused(withInput(good, 1, named([1, 0], 40)))
    refused(withInput(good, 1, named([2, ...new Uint8Array(32)], 70)))
    refused(withInput(good, 1, named([19], 63)))
    refused(withInput(good, 1, named([3], 5)))
    const kept = withInput(good, 1, named([0xfc, 1, 2, 3], 9))
    const { signed_transaction } = signIntent(intentOf(kept), wallet)
    const psbt = readPsbt(Buffer.from(String(signed_transaction), 'base64'))
    expect(psbt.inputs[1]?.some(({ key }) => toHex(key) === 'fc010203')).toBe(true)
  })

  test('a transaction that is signed already, or has no inputs or outputs, is refused', () => {
    const [unsigned] = readPsbt(good).global
    const bytes = unsigned?.value ?? new Uint8Array()
    const scripted = concat(bytes.subarray(0, 41), Uint8Array.of(1, 0), bytes.subarray(42))
    refused(edit(good, () => ({ global: [{ key: Uint8Array.of(0), value: scripted }] })))
    const empty = concat(bytes.subarray(0, 4), Uint8Array.of(0, 0), new Uint8Array(4))
    refused(
      edit(good, () => ({ global: [{ key: Uint8Array.of(0), value: empty }], inputs: [], outputs: [] })),
    )
  })

  test('lock times of version 2 are those of btc-signer', () => {
    const lock = (type: number, value: number) => put(type, littleEndian32(value))
    const two = build([{ kind: 'p2tr' }, { kind: 'p2tr' }], [toOther], 2)
    const both = (first: (map: PsbtMap) => PsbtMap, second: (map: PsbtMap) => PsbtMap) =>
      withInput(withInput(two, 0, first), 1, second)
    const [height, time] = [lock(18, 800_000), lock(17, 1_700_000_000)]
    const all = (map: PsbtMap) => height(time(map))
    const none = (map: PsbtMap) => map
    for (const bytes of [
      two,
      both(height, none),
      both(none, time),
      both(all, time),
      both(all, all),
      both(lock(18, 5), lock(18, 900_000)),
      edit(two, ({ global }) => ({ global: lock(3, 77)(global) })),
    ]) {
      const ours = psbtTransaction(readPsbt(bytes)).lockTime
      expect(toHex(ours)).toBe(toHex(littleEndian32(Transaction.fromPSBT(bytes).lockTime)))
    }
    refused(both(height, time))
    refused(both(lock(18, 500_000_000), none))
    refused(both(lock(17, 499_999_999), none))
    refused(both(lock(18, 0), none))
  })

  test('a partly signed PSBT of version 2 takes no more inputs and outputs', () => {
    const shared = build([{ kind: 'p2tr' }, { kind: 'p2tr', owner: other }], [toOther], 2)
    const open = edit(shared, ({ global }) => ({ global: put(6, Uint8Array.of(7))(global) }))
    const { signed_transaction } = signIntent(intentOf(open), wallet)
    const { global } = readPsbt(Buffer.from(String(signed_transaction), 'base64'))
    expect(global.find(({ key }) => key[0] === 6)?.value[0]).toBe(4)
  })

  test('a sample of another wallet is refused', () => {
    const { psbt } = samplePsbt(3)
    expect(sampleKeys(3).wallet.publicKey).not.toEqual(publicKey)
    refused(psbt)
  })
})
