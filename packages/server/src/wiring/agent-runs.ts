import { databaseNowMs } from '../db/database-now.ts'
import { agentHooksRoutes } from '../features/agents/hooks/agent-hooks.routes.ts'
import { agentHooks } from '../features/agents/hooks/agent-hooks.ts'
import type { AgentActors } from '../features/agents/registry/agent-actors.ts'
import { agentRunsRoutes } from '../features/agents/runs/agent-runs.routes.ts'
import { agentRunsStore } from '../features/agents/runs/agent-runs.store.ts'
import { type AgentRuns, agentRuns } from '../features/agents/runs/agent-runs.ts'
import { type Delegations, delegations } from '../features/agents/runs/delegations.ts'
import { intentRunner } from '../features/agents/runs/intent-runner.ts'
import { llmRunner } from '../features/agents/runs/llm-runner.ts'
import { runEngine } from '../features/agents/runs/run-engine.ts'
import { runFollowers } from '../features/agents/runs/run-followers.ts'
import { runTokenKeys } from '../features/agents/runs/run-token-keys.ts'
import { type RunWorker, runWorker } from '../features/agents/runs/run-worker.ts'
import type { Runner } from '../features/agents/runs/runner.ts'
import { scriptedRunner } from '../features/agents/runs/scripted-runner.ts'
import { agentTool, ToolRefusal } from '../features/agents/tools/agent-tool.ts'
import { type AgentTools, agentTools, isPassing } from '../features/agents/tools/agent-tools.ts'
import { chainTools } from '../features/agents/tools/chain-tools.ts'
import { controlTools } from '../features/agents/tools/control-tools.ts'
import { policyTool, type ReadSession } from '../features/agents/tools/policy-tool.ts'
import { type Gate, signingTools } from '../features/agents/tools/signing-tools.ts'
import { userOperationTool } from '../features/agents/tools/user-operation-tool.ts'
import type { Audit } from '../features/audit/audit.ts'
import type { PlatformKey } from '../features/jwks/platform-key.ts'
import { payTool } from '../features/protocols/x402/pay.ts'
import type { SmartAccounts } from '../features/smart-accounts/smart-accounts.ts'
import type { UserOps } from '../features/userops/userops.ts'
import { evmWalletsStore } from '../features/wallets/core/evm-wallets.store.ts'
import { openSecret, sealSecret } from '../features/webhooks/sealed-secret.ts'
import { mintWebhookSecret } from '../features/webhooks/webhook-secret.ts'
import type { Bound } from '../http/handler.ts'
import type { Limiter } from '../http/limiter.ts'
import type { AgentGate } from './agent-signing.ts'
import type { AppOptions, Ports } from './app-ports.ts'

/** What the work of agents is wired from. */
export type AgentWorkParts = {
  ports: Ports
  options: AppOptions
  audit: Audit
  limiter: Limiter
  gate: AgentGate
  actors: AgentActors
  readSession: ReadSession
  operations: UserOps
  accounts: SmartAccounts
  key: PlatformKey
}

/** The work of agents: their runs, tools and delegations, the routes to them, and the worker that runs beside the requests. */
export type AgentWork = {
  runs: AgentRuns
  tools: AgentTools
  delegations: Delegations
  runnersAvailable: ReadonlySet<string>
  bound: Bound[]
  worker: RunWorker
}

/** How long a run is a process's that does not say that it still works on it. */
const leaseMs = 15_000

/** The runners of this installation by name. */
function runnersOf({
  ports,
  options,
  tools,
}: Pick<AgentWorkParts, 'ports' | 'options'> & { tools: AgentTools }) {
  const runners = new Map<string, Runner>([['intent', intentRunner]])
  if (ports.model !== undefined) runners.set('llm', llmRunner(ports.model, tools.list()))
  if (options.isScriptedRunnerAllowed === true) runners.set('scripted', scriptedRunner)
  return runners
}

/** The one registry of tools. */
function toolsOf({ ports, gate: wired, readSession, operations, accounts }: AgentWorkParts): AgentTools {
  const { evm: chains, outbound } = ports
  const wallets = evmWalletsStore(ports.sql)
  const { sign, send, malformed, failed } = wired.signing
  const gate: Gate = { sign, send, failed }
  const signing = [
    ...signingTools({ gate }),
    userOperationTool({
      gate,
      wallets,
      operations: {
        provision: accounts.createForAgent,
        build: operations.build,
        read: operations.read,
        submit: operations.submit,
      },
    }),
    agentTool(
      payTool({
        outbound,
        sign: (request, { organization, session, runId }, fail) =>
          gate.sign({ organization, session }, request, runId === undefined ? {} : { runId }, fail),
        nowMs: () => databaseNowMs(ports.sql),
        isPassing,
        refuse: (refusal) => new ToolRefusal(refusal),
      }),
    ),
  ]
  return agentTools(
    [policyTool(readSession), ...chainTools({ chains, wallets }), ...signing, ...controlTools],
    ({ organization, session, runId }) => malformed({ organization, session }, undefined, runId),
  )
}

/** Wires what agents do on their own. */
export function wireAgentWork(parts: AgentWorkParts): AgentWork {
  const { ports, options, audit, limiter, gate, actors, key } = parts
  const { sql, kms, ids, log, random } = ports
  const { baseUrl } = options
  const tools = toolsOf(parts)
  const runners = runnersOf({ ports, options, tools })
  const tokenKeys = runTokenKeys(ports.secrets.pepper)
  const followers = runFollowers({ sql, log })
  const onChanged = () => {
    followers.nudge()
    worker.nudge()
  }
  const given = delegations({
    sql,
    ids,
    key,
    issuer: baseUrl,
    organizationOf: async (agentId) => (await actors.find(agentId))?.organization,
  })
  const engine = runEngine({
    sql,
    ids,
    log,
    tools,
    runners,
    tokenKeys,
    actors,
    delegations: given,
    leaseMs,
    onChanged,
  })
  const worker = runWorker({ sql, engine, log, leaseMs })
  const runs = agentRuns({ sql, ids, tokenKeys, followers, onStarted: onChanged })
  const hooks = agentHooks({
    sql,
    ids,
    audit,
    secrets: {
      mint: () => mintWebhookSecret(random),
      seal: (owner, secret) => sealSecret(kms, owner, secret),
      open: (owner, sealed) => openSecret(kms, owner, sealed),
    },
    insertRun: runs.insert,
    onStarted: runs.started,
  })
  const agentStatusOf = (organizationId: string, agentId: string) =>
    agentRunsStore.agentStatus(sql, organizationId, agentId)
  return {
    runs,
    tools,
    delegations: given,
    runnersAvailable: new Set(runners.keys()),
    bound: [
      ...agentRunsRoutes(
        runs,
        (runId, page) => gate.events({ runId }, page),
        async (organizationId, agentId) => (await agentStatusOf(organizationId, agentId)) !== undefined,
      ),
      ...agentHooksRoutes({ hooks, limiter, baseUrl, agentStatusOf }),
    ],
    worker,
  }
}
