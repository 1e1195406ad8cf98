import { KeyType, PublicKey } from '@near-js/crypto'
import {
  type Action,
  actionCreators,
  buildDelegateAction,
  createTransaction,
  GlobalContractDeployMode,
  GlobalContractIdentifier,
  Signature,
  type Transaction,
} from '@near-js/transactions'
import fc from 'fast-check'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const u64 = fc.oneof(fc.bigInt({ min: 0n, max: 1000n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
const u128 = fc.oneof(u64, fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }))
const accountId = fc.constantFrom(
  'alice.near',
  'bob-1.testnet',
  'wrap.near',
  'a1',
  'aa.bb_cc.dd-ee.near',
  '0x32be343b94f860124dc4fee278fdcbd38c102d88',
  'cd'.repeat(32),
)
const publicKey = fc.oneof(
  bytes(32).map((data) => new PublicKey({ keyType: KeyType.ED25519, data })),
  bytes(64).map((data) => new PublicKey({ keyType: KeyType.SECP256K1, data })),
)
/** ASCII: near-js writes other characters wrong (borsh-js 1.0.0 takes each for one byte). */
const text = fc.string({ maxLength: 20, unit: 'grapheme-ascii' })
const { functionCallAccessKey, fullAccessKey, ...create } = actionCreators

const accessKey = fc.oneof(
  fc.constant(null).map(() => fullAccessKey()),
  fc
    .tuple(accountId, fc.array(text, { maxLength: 3 }), fc.option(u128))
    .map(([receiver, methods, allowance]) =>
      functionCallAccessKey(receiver, methods, allowance ?? undefined),
    ),
)
const tokenArgs = fc.record({ receiver_id: accountId, amount: u128.map(String) })

/** Any action but a relayed one, as near-js builds it. */
export const randomNearAction: fc.Arbitrary<Action> = fc.oneof(
  fc.constant(null).map(() => create.createAccount()),
  fc.uint8Array({ maxLength: 100 }).map((code) => create.deployContract(code)),
  fc
    .tuple(text, fc.uint8Array({ maxLength: 60 }), u64, u128)
    .map(([method, args, gas, deposit]) => create.functionCall(method, args, gas, deposit)),
  fc.tuple(tokenArgs, u64).map(([args, gas]) => create.functionCall('ft_transfer', args, gas, 1n)),
  u128.map((amount) => create.transfer(amount)),
  fc.tuple(u128, publicKey).map(([amount, key]) => create.stake(amount, key)),
  fc.tuple(publicKey, accessKey).map(([key, access]) => create.addKey(key, access)),
  publicKey.map((key) => create.deleteKey(key)),
  accountId.map((beneficiary) => create.deleteAccount(beneficiary)),
  fc
    .tuple(fc.uint8Array({ maxLength: 100 }), fc.boolean())
    .map(([code, byHash]) =>
      create.deployGlobalContract(
        code,
        new GlobalContractDeployMode(byHash ? { CodeHash: null } : { AccountId: null }),
      ),
    ),
  fc
    .oneof(
      bytes(32).map((hash) => new GlobalContractIdentifier({ CodeHash: hash })),
      accountId.map((id) => new GlobalContractIdentifier({ AccountId: id })),
    )
    .map((contract) => create.useGlobalContract(contract)),
)

const delegate = fc
  .record({
    senderId: accountId,
    receiverId: accountId,
    actions: fc.array(randomNearAction, { maxLength: 3 }),
    nonce: u64,
    maxBlockHeight: u64,
    publicKey,
  })
  .map((fields) => buildDelegateAction(fields))

/** Delegate actions of a wallet's key, to be signed with their prefix (NEP-366). */
export function randomNearDelegate(key: Uint8Array, accounts: readonly string[]) {
  const own = new PublicKey({ keyType: KeyType.ED25519, data: key })
  return fc.tuple(delegate, fc.constantFrom(...accounts)).map(([given, senderId]) => {
    return buildDelegateAction({ ...given, senderId, publicKey: own })
  })
}

/** Transactions of a wallet's key and one of its accounts, relayed actions of others among theirs. */
export function randomNearTransaction(
  key: Uint8Array,
  accounts: readonly string[],
): fc.Arbitrary<Transaction> {
  const own = new PublicKey({ keyType: KeyType.ED25519, data: key })
  const relayed = fc.tuple(delegate, bytes(64)).map(([delegateAction, data]) => {
    const signature = new Signature({ keyType: KeyType.ED25519, data })
    return create.signedDelegate({ delegateAction, signature })
  })
  const action = fc.oneof({ arbitrary: randomNearAction, weight: 9 }, relayed)
  return fc
    .tuple(fc.constantFrom(...accounts), accountId, u64, fc.array(action, { maxLength: 5 }), bytes(32))
    .map(([signer, receiver, nonce, actions, block]) =>
      createTransaction(signer, own, receiver, nonce, actions, block),
    )
}
