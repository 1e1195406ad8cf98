import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, type Hex, numberToHex, parseAbi, parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { create2Deployer, deployer, devKeys, entryPoint, lightAccount } from './chain-constants.ts'
import type { ChainDeployments } from './chain-contracts.ts'
import { devContracts } from './dev-contracts.ts'
import type { JsonRpc } from './json-rpc.ts'

const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function deposit() payable',
  'function addStake(uint32 unstakeDelaySec) payable',
  'function set(int256 answer, uint256 updatedAt)',
])
const deposit = { full: parseEther('10000'), low: parseEther('1000') }
const purse = parseEther('100000000')
const minedWithinMs = 10_000
const gas = numberToHex(12_000_000)

/** 8 decimals, as Chainlink's USD feeds have. */
const usdE8 = { eth: 3_240_00000000n, eur: 1_08000000n }

/**
 * Brings a chain to where bundler and accounts work: EntryPoint v0.7, Light Account, a sponsor with deposit and stake, the
 * trial contracts, and full purses for the bundler. Does only what is missing, so it may run on every start.
 */
export async function prepareChain(rpc: JsonRpc, deployments: ChainDeployments): Promise<void> {
  const dev = devContracts()
  const { contracts, paymaster } = deployments
  await Promise.all([
    ...[deployer, create2Deployer].map((sender) => rpc.call('anvil_impersonateAccount', [sender])),
    ...[
      deployer,
      create2Deployer,
      ...[...devKeys.bundlerExecutors, devKeys.bundlerUtility].map((key) => privateKeyToAddress(key)),
    ].map((address) => rpc.call('anvil_setBalance', [address, numberToHex(purse)])),
    rpc.call('anvil_setCode', [lightAccount.implementation, dev.DevLightAccount.deployedBytecode]),
    rpc.call('anvil_setCode', [lightAccount.factory, dev.DevLightAccountFactory.deployedBytecode]),
  ])

  await deploy(rpc, deployments.entryPoint)
  if (await deploy(rpc, paymaster)) {
    // The deterministic deployer made it, so it owns it.
    const data = encodeFunctionData({ abi, functionName: 'addStake', args: [86_400] })
    await send(rpc, { from: create2Deployer, to: paymaster.address, data, value: parseEther('1') })
  }
  const left = BigInt(
    await rpc.call<Hex>('eth_call', [
      {
        to: entryPoint.address,
        data: encodeFunctionData({ abi, functionName: 'balanceOf', args: [paymaster.address] }),
      },
      'latest',
    ]),
  )
  if (left < deposit.low) {
    const data = encodeFunctionData({ abi, functionName: 'deposit' })
    await send(rpc, { from: deployer, to: paymaster.address, data, value: deposit.full - left })
  }
  for (const contract of Object.values(contracts)) {
    if (!(await deploy(rpc, contract))) continue
    if (contract === contracts.ethUsdFeed) await setPrice(rpc, contract.address, usdE8.eth)
    if (contract === contracts.eurUsdFeed) await setPrice(rpc, contract.address, usdE8.eur)
  }
}

/** Returns whether it was missing. */
async function deploy(rpc: JsonRpc, { address, data }: { address: Hex; data: Hex }): Promise<boolean> {
  if ((await rpc.call('eth_getCode', [address, 'latest'])) !== '0x') return false
  await send(rpc, { from: deployer, to: create2Deployer, data })
  return true
}

function setPrice(rpc: JsonRpc, to: Hex, answer: bigint): Promise<void> {
  const data = encodeFunctionData({ abi, functionName: 'set', args: [answer, 0n] })
  return send(rpc, { from: deployer, to, data })
}

async function send(rpc: JsonRpc, tx: { from: Hex; to: Hex; data: Hex; value?: bigint }): Promise<void> {
  const hash = await rpc.call<Hex>('eth_sendTransaction', [
    { ...tx, gas, value: numberToHex(tx.value ?? 0n) },
  ])
  const deadline = performance.now() + minedWithinMs
  for (;;) {
    const receipt = await rpc.call<{ status: Hex } | null>('eth_getTransactionReceipt', [hash])
    if (receipt?.status === '0x1') return
    if (receipt !== null) throw new Error(`A transaction to ${tx.to} failed while the chain was prepared`)
    if (performance.now() > deadline) throw new Error('The chain mined nothing while it was prepared')
    await sleep(2)
  }
}
