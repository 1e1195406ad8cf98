import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, type Hex, http, type PublicClient, parseAbiItem, parseEther } from 'viem'
import { entryPoint } from '../chain/chain-constants.ts'
import { httpCall } from '../start/http-call.ts'
import type { DemoClient } from './demo-client.ts'
import type { DemoPlatform } from './demo-platform.ts'
import { insist, step } from './demo-step.ts'

const recipient: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const minedWithinMs = 10_000
const settledWithinMs = 30_000
const landed = parseAbiItem(
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
)

type Operation = {
  status: string
  transaction_hash: Hex
  block_number: number
  actual_gas_cost_eur: string
  reason: string | null
}

/** The shared state of the steps: the chain, its own node to check the platform's answers, and the wallet. */
type OnChain = DemoClient & {
  chain: string
  baseUrl: string
  node: PublicClient
  wallet: { id: string; address: Hex }
}

/**
 * The steps of the demo on the local chain: a transaction, a smart account, an operation whose gas is sponsored. Answers the
 * chain's node for the steps that follow; undefined where it is off.
 */
export async function demoChain(
  platform: DemoPlatform,
  client: DemoClient,
  wallet: { id: string; address: Hex },
): Promise<PublicClient | undefined> {
  const { chain, base_url: baseUrl } = platform.file
  if (chain === undefined) {
    console.log('  (the local chain is off: skipping its steps)')
    return undefined
  }
  const node = createPublicClient({ transport: http(chain.rpc_url), pollingInterval: 50 })
  const on: OnChain = { ...client, chain: chain.handle, baseUrl, node, wallet }
  await step('wait for the local chain', async () => [await platform.untilChain(), chain.rpc_url])
  await fundWallet(on)
  await sendTransaction(on)
  await sendOperation(on, await createAccount(on))
  return node
}

/** As the backend: a user may sign only so often in a minute. */
function sign({ callAsBackend, wallet }: OnChain, body: object) {
  return callAsBackend<{ signature: Hex; signed_transaction: Hex }>('POST', '/v1/s2s/sign', {
    wallet_id: wallet.id,
    ...body,
  })
}

async function fundWallet({ baseUrl, node, wallet: { address } }: OnChain): Promise<void> {
  await step('fund the wallet (faucet)', async () => {
    const body = { address, amount_wei: String(parseEther('1')) }
    const { status } = await httpCall(`${baseUrl}/dev/faucet`, { method: 'POST', body })
    insist(status === 200, 'the faucet answers')
    return [undefined, `${await node.getBalance({ address })} wei on the chain`]
  })
}

async function sendTransaction(on: OnChain): Promise<void> {
  const { call, chain, node } = on
  await step('prepare, sign and send a transaction', async () => {
    const before = await node.getBalance({ address: recipient })
    const prepared = await call<Record<string, string>>('POST', '/v1/wallets/evm/prepare-tx', {
      chain,
      to: recipient,
      value: '1000',
    })
    const { to, value, data, nonce, gas_limit, max_fee_per_gas, max_priority_fee_per_gas } = prepared
    const transaction = { to, value, data, nonce, gas_limit, max_fee_per_gas, max_priority_fee_per_gas }
    const { signed_transaction: raw } = await sign(on, { type: 'transaction', chain, transaction })
    const { tx_hash: hash } = await call<{ tx_hash: Hex }>('POST', '/v1/wallets/evm/broadcast-tx', {
      chain,
      raw_tx: raw,
    })
    const receipt = await node.waitForTransactionReceipt({ hash, timeout: minedWithinMs })
    insist(receipt.status === 'success', 'the transaction succeeded')
    insist(
      (await node.getBalance({ address: recipient })) - before === 1_000n,
      'the recipient has 1000 wei more',
    )
    return [undefined, `${hash.slice(0, 18)}…  mined in block ${receipt.blockNumber}`]
  })
}

function createAccount({ call, chain }: OnChain): Promise<Hex> {
  return step('create a smart account', async () => {
    const made = await call<{ address: Hex }>('POST', '/v1/wallets/me/smart-accounts', {
      chain,
    })
    return [made.address, made.address]
  })
}

async function sendOperation(on: OnChain, account: Hex): Promise<void> {
  const { call, chain, node } = on
  await step('send an operation, gas sponsored', async () => {
    const { user_op_hash: hash } = await call<{ user_op_hash: Hex }>('POST', '/v1/userop/build', {
      chain,
      calls: [{ to: recipient }],
    })
    const { signature } = await sign(on, { type: 'user_operation', chain, user_op_hash: hash })
    let operation = await call<Operation>('POST', '/v1/userop/submit', { user_op_hash: hash, signature })
    const deadline = performance.now() + settledWithinMs
    while (operation.status === 'submitted' && performance.now() < deadline) {
      await sleep(100)
      operation = await call<Operation>('GET', `/v1/userop/${hash}`)
    }
    insist(
      operation.status === 'confirmed',
      `the operation is confirmed, not ${operation.status} ${operation.reason}`,
    )
    const block = BigInt(operation.block_number)
    const [event] = await node.getLogs({
      address: entryPoint.address,
      event: landed,
      args: { userOpHash: hash },
      fromBlock: block,
      toBlock: block,
    })
    insist(event?.args.success === true, 'the EntryPoint says that the operation succeeded')
    insist(event?.args.sender === account, 'it is the smart account that acted')
    insist((await node.getBalance({ address: account })) === 0n, 'the account has paid nothing')
    return [
      undefined,
      `${hash.slice(0, 18)}…  in block ${block}, EUR ${operation.actual_gas_cost_eur} sponsored`,
    ]
  })
}
