import { setTimeout as sleep } from 'node:timers/promises'
import { concatHex, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { getUserOperationHash } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { entryPoint, lightAccount } from '../chain-constants.ts'
import { jsonRpc } from '../json-rpc.ts'
import type { DevChain } from '../start-dev-chain.ts'

/** Functions of Light Account v2.0.0 and its factory. */
export const accountAbi = parseAbi([
  'function createAccount(address owner, uint256 salt) returns (address)',
  'function getAddress(address owner, uint256 salt) view returns (address)',
  'function execute(address dest, uint256 value, bytes func)',
  'function executeBatch(address[] dest, uint256[] value, bytes[] func)',
  'function owner() view returns (address)',
  'function transferOwnership(address newOwner)',
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])

/** An operation in its JSON-RPC form, with the hash that its owner signs. */
export type BuiltOperation = { op: Record<string, Hex>; hash: Hex }

type Chain = Pick<DevChain, 'chainId' | 'rpcUrl' | 'bundlerUrl' | 'paymasterUrl'>

/** A signature of the right shape by nobody, for estimates. */
const stub: Hex = `0x00fffffffffffffffffffffffffffffff0000000000000000000000000000000007${'a'.repeat(63)}1c`

/** Builds an operation that the chain's paymaster pays, the way a client of any bundler would; signature still the stub. */
export async function sponsoredOperation(chain: Chain, owner: Hex, callData: Hex): Promise<BuiltOperation> {
  const node = jsonRpc(chain.rpcUrl)
  const bundler = jsonRpc(chain.bundlerUrl)
  const paymaster = jsonRpc(chain.paymasterUrl)
  try {
    const data = encodeFunctionData({ abi: accountAbi, functionName: 'getAddress', args: [owner, 0n] })
    const answer = await node.call<Hex>('eth_call', [{ to: lightAccount.factory, data }, 'latest'])
    const sender: Hex = `0x${answer.slice(-40)}`
    const isDeployed = (await node.call('eth_getCode', [sender, 'latest'])) !== '0x'
    const { standard } = await bundler.call<{ standard: Record<string, Hex> }>(
      'pimlico_getUserOperationGasPrice',
    )
    let op: Record<string, Hex> = {
      sender,
      // A key of its own (ERC-4337 two-dimensional nonces): operations do not wait for one another.
      nonce: concatHex([
        numberToHex(Math.floor(Math.random() * 2 ** 40), { size: 24 }),
        '0x0000000000000000',
      ]),
      ...(isDeployed
        ? {}
        : {
            factory: lightAccount.factory,
            factoryData: encodeFunctionData({
              abi: accountAbi,
              functionName: 'createAccount',
              args: [owner, 0n],
            }),
          }),
      callData,
      ...standard,
      signature: stub,
    }
    op['nonce'] = numberToHex(BigInt(op['nonce'] ?? 0))
    const scope = [entryPoint.address, numberToHex(chain.chainId), {}]
    const {
      sponsor: _,
      isFinal: __,
      ...sponsorship
    } = await paymaster.call<Record<string, Hex>>('pm_getPaymasterStubData', [op, ...scope])
    op = { ...op, ...sponsorship }
    op = { ...op, ...(await bundler.call<object>('eth_estimateUserOperationGas', [op, entryPoint.address])) }
    op = { ...op, ...(await paymaster.call<object>('pm_getPaymasterData', [op, ...scope])) }
    return { op, hash: operationHash(op, chain.chainId) }
  } finally {
    for (const client of [node, bundler, paymaster]) client.close()
  }
}

/** The hash of an operation in its JSON-RPC form, by viem. */
export function operationHash(op: Record<string, Hex>, chainId: number): Hex {
  const quantities = /Gas|Limit|^nonce$/
  const userOperation = Object.fromEntries(
    Object.entries(op).map(([name, value]) => [name, quantities.test(name) ? BigInt(value) : value]),
  )
  return getUserOperationHash({
    userOperation: userOperation as unknown as Parameters<typeof getUserOperationHash>[0]['userOperation'],
    entryPointAddress: entryPoint.address,
    entryPointVersion: '0.7',
    chainId,
  })
}

/** Sends a first operation of a new owner, which calls the trial contract; resolves once it has landed successfully. */
export async function landOperation(
  chain: Chain & Pick<DevChain, 'contracts'>,
  withinMs = 10_000,
): Promise<void> {
  const owner = privateKeyToAccount(generatePrivateKey())
  const poke = encodeFunctionData({ abi: parseAbi(['function poke() payable']) })
  const callData = encodeFunctionData({
    abi: accountAbi,
    functionName: 'execute',
    args: [chain.contracts.target, 0n, poke],
  })
  const { op, hash } = await sponsoredOperation(chain, owner.address, callData)
  const signature = concatHex(['0x00', await owner.signMessage({ message: { raw: hash } })])
  const bundler = jsonRpc(chain.bundlerUrl)
  try {
    await bundler.call('eth_sendUserOperation', [{ ...op, signature }, entryPoint.address])
    const deadline = performance.now() + withinMs
    for (;;) {
      const receipt = await bundler.call<{ success: boolean } | null>('eth_getUserOperationReceipt', [hash])
      if (receipt?.success) return
      if (receipt !== null) throw new Error('the operation failed')
      if (performance.now() > deadline) throw new Error('the operation did not land')
      await sleep(20)
    }
  } finally {
    bundler.close()
  }
}
