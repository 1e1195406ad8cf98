import { mintSession } from '@symbolon/testing/agents'
import { makeWalletFor, startTestApp } from '@symbolon/testing/app'
import { sharedChain } from '@symbolon/testing/chain'
import { jsonRpcProxy, type ProxyFault } from '@symbolon/testing/http'
import { encodeFunctionData, parseEther } from 'viem'
import { devContracts } from '../../packages/dev/src/chain/dev-contracts.ts'
import { agentBodies } from './agent-bodies.ts'
import { callRoute, type Provocations, type Provoke } from './call-route.ts'
import { bodyOf, type World } from './world.ts'

const withFields = (change: Record<string, unknown>): Provoke => {
  return (world, route) => {
    const { token } = world.agents.session
    return callRoute(world, route, { token, json: { ...bodyOf(route, world), ...change } })
  }
}

/** The token of a session of a wallet with money. */
async function fundedToken({ app, tenant }: World): Promise<string> {
  const { id, address } = await makeWalletFor(app, tenant)
  const chain = await sharedChain()
  await chain.fund(address as `0x${string}`, parseEther('0.1'))
  return (await mintSession(app, tenant, id)).token
}

/** Sends by a process whose node has a fault, for a wallet with money. */
async function sendThrough(world: World, method: string, fault: ProxyFault) {
  const token = await fundedToken(world)
  const { rpcUrl } = await sharedChain()
  const node = await jsonRpcProxy(rpcUrl)
  node.fault(method, fault)
  const chains = [{ handle: 'local', rpcUrls: [node.url], confirmations: 2 }]
  const process = await startTestApp({ installation: world.app, chains })
  try {
    return await process.call('POST', '/v1/agents/me/transactions', {
      token,
      json: agentBodies['agentLane.send']?.(world),
    })
  } finally {
    await process.stop()
    await node.stop()
  }
}

/** The session of a wallet whose organization has no network of ed25519. */
async function evmOnlyToken({ app, evmOnly }: World): Promise<string> {
  const { id } = await makeWalletFor(app, evmOnly)
  return (await mintSession(app, evmOnly, id)).token
}

/** What signing and sending by agents are provoked by, and the lists of what they tried. */
export const agentSigningProvocations: Record<string, Provocations> = {
  'agentLane.sign': {
    invalid_payload: withFields({ message: 'lone \ud800 surrogate' }),
    chain_unsupported: withFields({ chain: 'no-such-chain' }),
    invalid_curve: async (world, route) =>
      callRoute(world, route, {
        token: await evmOnlyToken(world),
        json: { type: 'message', message: 'hello', curve: 'ed25519' },
      }),
    policy_violation: withFields({ chain: 'ethereum' }),
  },
  'agentLane.send': {
    chain_unsupported: withFields({ chain: 'base' }),
    bad_to: withFields({ to: 'nobody' }),
    policy_violation: withFields({ value: '1001' }),
    wallet_not_evm: async (world, route) => {
      const { id } = await makeWalletFor(world.app, world.tenant, 'ed25519')
      const { token } = await mintSession(world.app, world.tenant, id)
      return callRoute(world, route, { token })
    },
    estimate_gas_reverted: async (world, route) => {
      const { contracts } = await sharedChain()
      const { id } = await makeWalletFor(world.app, world.tenant)
      const allowed_contracts = [{ chain: 'local', address: contracts.target }]
      const { token } = await mintSession(world.app, world.tenant, id, { allowed_contracts })
      const data = encodeFunctionData({ abi: devContracts().DevTarget.abi, functionName: 'fail' })
      return callRoute(world, route, { token, json: { chain: 'local', to: contracts.target, data } })
    },
    insufficient_funds: withFields({}),
    rpc_failed: (world, route) => callRoute(world, route, { process: world.chainless }),
    broadcast_failed: (world) =>
      sendThrough(world, 'eth_sendRawTransaction', {
        kind: 'error',
        error: { code: -32000, message: 'not today' },
      }),
    // The highest nonce that there is belongs to nobody (EIP-2681).
    invalid_payload: (world) =>
      sendThrough(world, 'eth_getTransactionCount', { kind: 'answer', result: '0xffffffffffffffff' }),
  },
}
