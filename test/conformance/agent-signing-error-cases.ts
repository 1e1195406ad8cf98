import { devContracts } from '@symbolon/dev/testing/chain'
import { mintSession, roomForFees } from '@symbolon/testing/agents'
import { makeWalletFor, startTestApp } from '@symbolon/testing/app'
import { sharedChain } from '@symbolon/testing/chain'
import { jsonRpcProxy, type ProxyFault } from '@symbolon/testing/http'
import { encodeFunctionData, parseEther } from 'viem'
import { agentBodies } from './agent-bodies.ts'
import { callRoute, type ErrorCases, type Provoke } from './call-route.ts'
import { setBackWallet } from './enclave-states.ts'
import { bodyOf, type Fixture } from './fixture.ts'

const withFields = (change: Record<string, unknown>): Provoke => {
  return (fixture, route) => {
    const { token } = fixture.agents.session
    return callRoute(fixture, route, { token, json: { ...bodyOf(route, fixture), ...change } })
  }
}

/** A wallet with money and the token of a session of it. */
async function funded({ app, tenant }: Fixture): Promise<{ walletId: string; token: string }> {
  const { id, address } = await makeWalletFor(app, tenant)
  const chain = await sharedChain()
  await chain.fund(address as `0x${string}`, parseEther('0.1'))
  return { walletId: id, token: (await mintSession(app, tenant, id, roomForFees)).token }
}

/** Asks with a session of a wallet whose row was put back. */
const withOlderState: Provoke = async (fixture, route) => {
  const { walletId, token } = await funded(fixture)
  await setBackWallet(fixture, walletId)
  return callRoute(fixture, route, { token })
}

/** Sends by a process whose node has a fault, for a wallet with money. */
async function sendThrough(fixture: Fixture, method: string, fault: ProxyFault) {
  const { token } = await funded(fixture)
  const { rpcUrl } = await sharedChain()
  const node = await jsonRpcProxy(rpcUrl)
  node.fault(method, fault)
  const chains = [{ handle: 'local', rpcUrls: [node.url], confirmations: 2 }]
  const process = await startTestApp({ installation: fixture.app, chains })
  try {
    return await process.call('POST', '/v1/agents/me/transactions', {
      token,
      json: agentBodies['agentLane.send']?.(fixture),
    })
  } finally {
    await process.stop()
    await node.stop()
  }
}

/** The session of a wallet whose organization has no network of ed25519. */
async function evmOnlyToken({ app, evmOnly }: Fixture): Promise<string> {
  const { id } = await makeWalletFor(app, evmOnly)
  return (await mintSession(app, evmOnly, id)).token
}

/** What signing and sending by agents are provoked by, and the lists of what they tried. */
export const agentSigningErrorCases: Record<string, ErrorCases> = {
  'agentLane.sign': {
    invalid_payload: withFields({ message: 'lone \ud800 surrogate' }),
    chain_unsupported: withFields({ chain: 'no-such-chain' }),
    invalid_curve: async (fixture, route) =>
      callRoute(fixture, route, {
        token: await evmOnlyToken(fixture),
        json: { type: 'message', message: 'hello', curve: 'ed25519' },
      }),
    policy_violation: withFields({ chain: 'ethereum' }),
    state_rolled_back: withOlderState,
  },
  'agentLane.send': {
    chain_unsupported: withFields({ chain: 'base' }),
    bad_to: withFields({ to: 'nobody' }),
    policy_violation: withFields({ value: '1001' }),
    state_rolled_back: withOlderState,
    wallet_not_evm: async (fixture, route) => {
      const { id } = await makeWalletFor(fixture.app, fixture.tenant, 'ed25519')
      const { token } = await mintSession(fixture.app, fixture.tenant, id)
      return callRoute(fixture, route, { token })
    },
    estimate_gas_reverted: async (fixture, route) => {
      const { contracts } = await sharedChain()
      const { id } = await makeWalletFor(fixture.app, fixture.tenant)
      const allowed_contracts = [{ chain: 'local', address: contracts.target }]
      const { token } = await mintSession(fixture.app, fixture.tenant, id, { allowed_contracts })
      const data = encodeFunctionData({ abi: devContracts().DevTarget.abi, functionName: 'fail' })
      return callRoute(fixture, route, { token, json: { chain: 'local', to: contracts.target, data } })
    },
    insufficient_funds: withFields({}),
    rpc_failed: (fixture, route) => callRoute(fixture, route, { process: fixture.chainless }),
    broadcast_failed: (fixture) =>
      sendThrough(fixture, 'eth_sendRawTransaction', {
        kind: 'error',
        error: { code: -32000, message: 'not today' },
      }),
    // The highest nonce that there is belongs to nobody (EIP-2681).
    invalid_payload: (fixture) =>
      sendThrough(fixture, 'eth_getTransactionCount', { kind: 'answer', result: '0xffffffffffffffff' }),
  },
}
