import {
  Account,
  Address,
  Asset,
  Keypair,
  Networks,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-base'
import { describe, expect, test } from 'vitest'
import { preview } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'

const pairs = [1, 2, 3].map((index) =>
  Keypair.fromRawEd25519Seed(Buffer.from(testKey('ed25519', index).privateKey)),
)
const [wallet = '', alice = '', issuer = ''] = pairs.map((pair) => pair.publicKey())
const { publicKey } = testKey('ed25519', 1)
const usd = new Asset('USD', issuer)

type Options = { edit?: (bytes: Uint8Array) => Uint8Array }

function shown(operations: xdr.Operation[], { edit = (bytes) => bytes }: Options = {}) {
  const builder = new TransactionBuilder(new Account(wallet, '7'), {
    fee: '100',
    networkPassphrase: Networks.PUBLIC,
  })
  for (const operation of operations) builder.addOperation(operation)
  const bytes = Uint8Array.from(builder.setTimebounds(0, 0).build().toEnvelope().toXDR())
  const intent = { kind: 'transaction', network: 'stellar', chain: 'stellar', bytes: edit(bytes) } as const
  return preview(intent, 'ed25519', publicKey)
}

describe('contracts', () => {
  const contract = Address.contract(Buffer.alloc(32, 7)).toString()
  const native = Asset.native().contractId(Networks.PUBLIC)
  const who = (address: string) => new Address(address).toScVal()
  const i128 = (value: bigint) => nativeToScVal(value, { type: 'i128' })
  const argumentsOf = (address: string, functionName: string, args: xdr.ScVal[]) =>
    new xdr.InvokeContractArgs({ contractAddress: new Address(address).toScAddress(), functionName, args })
  const tree = (args: xdr.InvokeContractArgs, subInvocations: xdr.SorobanAuthorizedInvocation[] = []) =>
    new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(args),
      subInvocations,
    })
  const bySource = (rootInvocation: xdr.SorobanAuthorizedInvocation) =>
    new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
      rootInvocation,
    })
  const invoke = (args: xdr.InvokeContractArgs, auth: xdr.SorobanAuthorizationEntry[] = []) =>
    shown([
      Operation.invokeHostFunction({ func: xdr.HostFunction.hostFunctionTypeInvokeContract(args), auth }),
    ])

  test('an unknown function is a call of its contract with a warning', () => {
    const { actions, warnings } = invoke(
      argumentsOf(contract, 'swap', [who(alice), i128(5n), xdr.ScVal.scvSymbol('x')]),
    )
    expect(actions).toMatchObject([
      { kind: 'call', to: contract, method: 'swap', args: { arg0: alice, arg1: '5', arg2: 'x' } },
    ])
    expect(warnings).toEqual(['The effects of this contract call are unknown.'])
  })

  test('a token transfer is one; the contract of the native asset moves the native asset', () => {
    const transfer = (token: string) =>
      invoke(argumentsOf(token, 'transfer', [who(wallet), who(alice), i128(15_000_000n)])).actions[0]
    expect(transfer(contract)).toMatchObject({
      kind: 'transfer',
      asset: contract,
      amount: '15000000',
      to: alice,
      amount_display: null,
    })
    expect(transfer(native)).toMatchObject({ asset: 'XLM', amount_display: '1.5 XLM' })
  })

  test('a contract that stands for an asset has the name of the asset where the transaction has it', () => {
    const balance = (asset: Asset) =>
      xdr.LedgerKey.trustline(
        new xdr.LedgerKeyTrustLine({
          accountId: Keypair.fromPublicKey(wallet).xdrAccountId(),
          asset: asset.toTrustLineXDRObject(),
        }),
      )
    const moved = (token: string, method: string, amount: bigint, assets: readonly Asset[]) => {
      const args = method === 'approve' ? [xdr.ScVal.scvU32(9)] : []
      const transaction = new TransactionBuilder(new Account(wallet, '7'), {
        fee: '100',
        networkPassphrase: Networks.PUBLIC,
      })
        .addOperation(
          Operation.invokeContractFunction({
            contract: token,
            function: method,
            args: [who(wallet), who(alice), i128(amount), ...args],
          }),
        )
        .setTimebounds(0, 0)
        .setSorobanData(new SorobanDataBuilder().setFootprint([], assets.map(balance)).build())
        .build()
      const bytes = Uint8Array.from(transaction.toEnvelope().toXDR())
      return preview(
        { kind: 'transaction', network: 'stellar', chain: 'stellar', bytes },
        'ed25519',
        publicKey,
      )
    }
    const [eur, usdContract] = [new Asset('EUROPEAN', issuer), usd.contractId(Networks.PUBLIC)]
    expect(moved(usdContract, 'transfer', 15_000_000n, [eur, usd])).toMatchObject({
      title: `Send 1.5 USD:${issuer}`,
      actions: [
        { asset: `USD:${issuer}`, amount_display: `1.5 USD:${issuer}`, args: { contract: usdContract } },
      ],
    })
    expect(moved(eur.contractId(Networks.PUBLIC), 'transfer', 1n, [eur]).actions[0]?.asset).toBe(
      `EUROPEAN:${issuer}`,
    )
    expect(moved(usdContract, 'approve', 2n ** 126n, [usd]).warnings).toEqual([
      `Unlimited approval: ${alice} may spend all of USD:${issuer}.`,
    ])
    // Neither the asset of another contract, nor that of the other network.
    for (const token of [contract, usd.contractId(Networks.TESTNET)])
      expect(moved(token, 'transfer', 1n, [eur, usd]).actions[0]?.asset).toBe(token)
    expect(moved(usdContract, 'transfer', 1n, [eur]).actions[0]?.asset).toBe(usdContract)
    const circle = new Asset('USDC', 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN')
    expect(moved(circle.contractId(Networks.PUBLIC), 'transfer', 10_000_000n, []).title).toBe('Send 1 USDC')
  })

  test('an allowance without bound is a warning', () => {
    const approve = (amount: bigint) =>
      invoke(argumentsOf(contract, 'approve', [who(wallet), who(alice), i128(amount), xdr.ScVal.scvU32(9)]))
    expect(approve(3n)).toMatchObject({ actions: [{ kind: 'approval', amount: '3' }], warnings: [] })
    const { actions, warnings } = approve(2n ** 127n - 1n)
    expect(actions).toMatchObject([{ kind: 'approval', amount: null }])
    expect(warnings[0]).toMatch(/^Unlimited approval/)
  })

  test('a negative amount or another shape is not a transfer', () => {
    for (const args of [
      [who(wallet), who(alice), i128(-1n)],
      [who(wallet), who(alice)],
      [who(wallet), i128(1n), i128(1n)],
    ]) {
      expect(invoke(argumentsOf(contract, 'transfer', args)).actions).toMatchObject([{ kind: 'call' }])
    }
  })

  test('each authorization beside the call is an action, and the call itself is described once', () => {
    const called = argumentsOf(contract, 'claim_reward', [who(wallet)])
    const drain = argumentsOf(native, 'transfer', [who(wallet), who(issuer), i128(999n)])
    const methods = (auth: xdr.SorobanAuthorizationEntry[]) =>
      invoke(called, auth).actions.map(({ method }) => method)
    expect(methods([bySource(tree(called))])).toEqual(['claim_reward'])
    expect(methods([bySource(tree(called, [tree(drain)]))])).toEqual(['claim_reward', 'transfer'])
    expect(methods([bySource(tree(drain))])).toEqual(['claim_reward', 'transfer'])
    expect(methods([bySource(tree(called)), bySource(tree(called))])).toEqual([
      'claim_reward',
      'claim_reward',
    ])
    const { actions } = invoke(called, [bySource(tree(called, [tree(drain, [tree(drain)])]))])
    expect(actions.slice(1)).toMatchObject([
      { kind: 'transfer', asset: 'XLM', amount: '999', to: issuer },
      { kind: 'transfer', asset: 'XLM', amount: '999', to: issuer },
    ])
  })

  test('a call that another account authorizes by its own signature is not the wallet’s', () => {
    const called = argumentsOf(contract, 'swap', [])
    const credentials = xdr.SorobanCredentials.sorobanCredentialsAddress(
      new xdr.SorobanAddressCredentials({
        address: new Address(alice).toScAddress(),
        nonce: xdr.Int64.fromString('1'),
        signatureExpirationLedger: 5,
        signature: xdr.ScVal.scvVoid(),
      }),
    )
    const drain = argumentsOf(native, 'transfer', [who(alice), who(issuer), i128(999n)])
    const entry = new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation: tree(drain) })
    expect(invoke(called, [entry]).actions).toHaveLength(1)
  })

  test('values nested without end are refused', () => {
    // The SDK nests less deep: its value of twelve bytes is replaced.
    const marker = 0xfeed_feed_feed_feedn
    const func = xdr.HostFunction.hostFunctionTypeInvokeContract(
      argumentsOf(contract, 'f', [nativeToScVal(marker, { type: 'u64' })]),
    )
    const nested = (depth: number) => (bytes: Uint8Array) => {
      const at = Buffer.from(bytes).indexOf('feedfeedfeedfeed', 'hex') - 4
      const list = Array.from({ length: depth }, () => [0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 1])
      return Uint8Array.of(...bytes.subarray(0, at), ...list.flat(), 0, 0, 0, 1, ...bytes.subarray(at + 12))
    }
    const call = Operation.invokeHostFunction({ func })
    expect(shown([call], { edit: nested(99) }).actions).toHaveLength(1)
    expect(() => shown([call], { edit: nested(100) })).toThrow('too deeply')
  })
})
