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

/**
 * The steps of the demo on the local chain: a transaction, a smart account, an operation whose gas is sponsored. Answers the
 * chain's node for the steps that follow; undefined where it is off.
 */
export async function demoChain(
  platform: DemoPlatform,
  { call, callAsBackend }: DemoClient,
  wallet: { id: string; address: Hex },
): Promise<PublicClient | undefined> {
  const { address } = wallet
  const { chain, base_url: baseUrl } = platform.file
  if (chain === undefined) {
    console.log('  (the local chain is off: its steps are left out)')
    return undefined
  }
  // What the platform says is checked on the node itself.
  const node = createPublicClient({ transport: http(chain.rpc_url), pollingInterval: 50 })
  // As the backend: a user may sign only so often in a minute.
  const sign = (body: object) =>
    callAsBackend<{ signature: Hex; signed_transaction: Hex }>('POST', '/v1/s2s/sign', {
      wallet_id: wallet.id,
      ...body,
    })

  await step('wait for the local chain', async () => [await platform.untilChain(), chain.rpc_url])

  await step('fund the wallet (faucet)', async () => {
    const body = { address, amount_wei: String(parseEther('1')) }
    const { status } = await httpCall(`${baseUrl}/dev/faucet`, { method: 'POST', body })
    insist(status === 200, 'the faucet answers')
    return [undefined, `${await node.getBalance({ address })} wei on the chain`]
  })

  await step('prepare, sign and send a transaction', async () => {
    const before = await node.getBalance({ address: recipient })
    const prepared = await call<Record<string, string>>('POST', '/v1/wallets/evm/prepare-tx', {
      chain: chain.handle,
      to: recipient,
      value: '1000',
    })
    const { to, value, data, nonce, gas_limit, max_fee_per_gas, max_priority_fee_per_gas } = prepared
    const transaction = { to, value, data, nonce, gas_limit, max_fee_per_gas, max_priority_fee_per_gas }
    const { signed_transaction: raw } = await sign({ type: 'transaction', chain: chain.handle, transaction })
    const { tx_hash: hash } = await call<{ tx_hash: Hex }>('POST', '/v1/wallets/evm/broadcast-tx', {
      chain: chain.handle,
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

  const account = await step('create a smart account', async () => {
    const made = await call<{ address: Hex }>('POST', '/v1/wallets/me/smart-accounts', {
      chain: chain.handle,
    })
    return [made.address, made.address]
  })

  await step('send an operation, gas sponsored', async () => {
    const { user_op_hash: hash } = await call<{ user_op_hash: Hex }>('POST', '/v1/userop/build', {
      chain: chain.handle,
      calls: [{ to: recipient }],
    })
    const { signature } = await sign({ type: 'user_operation', chain: chain.handle, user_op_hash: hash })
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
  return node
}
