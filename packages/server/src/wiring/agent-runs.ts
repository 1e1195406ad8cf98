import { agentHooksRoutes } from '../features/agents/hooks/agent-hooks.routes.ts'
import { agentRunsRoutes } from '../features/agents/runs/agent-runs.routes.ts'
import type { RunsCtx } from '../features/agents/runs/agent-runs.ts'
import { type DelegationsCtx, delegationKey } from '../features/agents/runs/delegations.ts'
import { intentRunner } from '../features/agents/runs/intent-runner.ts'
import { llmRunner } from '../features/agents/runs/llm-runner.ts'
import { workOnRun } from '../features/agents/runs/run-engine.ts'
import { runFollowers } from '../features/agents/runs/run-followers.ts'
import { runTokenKeys } from '../features/agents/runs/run-token-keys.ts'
import type { RunWorkCtx } from '../features/agents/runs/run-work.ts'
import { type RunWorker, runWorker } from '../features/agents/runs/run-worker.ts'
import type { Runner } from '../features/agents/runs/runner.ts'
import { scriptedRunner } from '../features/agents/runs/scripted-runner.ts'
import type { SigningCtx } from '../features/agents/signing/signing-ctx.ts'
import { type AgentTools, agentTools } from '../features/agents/tools/agent-tools.ts'
import { chainTools } from '../features/agents/tools/chain-tools.ts'
import { controlTools } from '../features/agents/tools/control-tools.ts'
import { policyTool } from '../features/agents/tools/policy-tool.ts'
import { signingTools } from '../features/agents/tools/signing-tools.ts'
import { type OperationMaker, userOperationTool } from '../features/agents/tools/user-operation-tool.ts'
import type { Audit } from '../features/audit/audit.ts'
import type { PlatformKey } from '../features/jwks/platform-key.ts'
import { payTool } from '../features/protocols/index.ts'
import { createAccountForAgent, type SmartAccountsCtx } from '../features/smart-accounts/index.ts'
import { buildOperation, giveUpOperation, readOperation, submitOperation } from '../features/userops/index.ts'
import { evmWalletsStore } from '../features/wallets/core/evm-wallets.store.ts'
import type { Bound } from '../http/handler.ts'
import type { Limiter } from '../http/limiter.ts'
import { wokenPeriodMs } from '../runtime/poller.ts'
import type { AppOptions, Ports } from './app-ports.ts'
import type { UserOps } from './userops.ts'

/** The parts that the runs of agents are wired from. */
export type RunsParts = {
  ports: Ports
  options: AppOptions
  audit: Audit
  limiter: Limiter
  signing: SigningCtx
  operations: UserOps
  accounts: SmartAccountsCtx
  key: PlatformKey
  processId: string
}

/** The runs of agents, their tools and delegations, the routes to them, and the worker that runs beside the requests. */
export type RunsRoom = {
  runs: RunsCtx
  tools: AgentTools
  delegations: DelegationsCtx
  runners: ReadonlyMap<string, Runner>
  bound: Bound[]
  worker: RunWorker
}

/** Wires what agents do on their own. */
export function wireRuns(parts: RunsParts): RunsRoom {
  const { ports, options, audit, limiter, key } = parts
  const { sql, kms, ids, log, random } = ports
  const { pepper } = ports.secrets
  const { baseUrl } = options
  const tools = wireTools(parts)
  const runners = runnersOf(ports, options)
  const tokenKeys = runTokenKeys(pepper)
  const followers = runFollowers({ sql, log })
  const delegations = { sql, pepper, ids, issuer: baseUrl, key: delegationKey(key) }
  const work: RunWorkCtx = { sql, log, tools, runners, tokenKeys, delegations }
  const worker = runWorker({
    sql,
    log,
    followers,
    work: (run, signal) => workOnRun(work, run, signal),
    holder: parts.processId,
    pollMs: wokenPeriodMs,
  })
  const runs = { sql, ids, tokenKeys, followers, worker }
  return {
    runs,
    tools,
    delegations,
    runners,
    bound: [
      ...agentRunsRoutes(runs),
      ...agentHooksRoutes({ sql, ids, audit, kms, random, runs }, limiter, baseUrl),
    ],
    worker,
  }
}

/** The runners of this installation by name. */
function runnersOf({ model }: Ports, options: AppOptions): Map<string, Runner> {
  const runners = new Map<string, Runner>([['intent', intentRunner]])
  if (model !== undefined) runners.set('llm', llmRunner(model))
  if (options.isScriptedRunnerAllowed === true) runners.set('scripted', scriptedRunner)
  return runners
}

/** The one registry of tools. */
function wireTools({ ports, signing, operations, accounts }: RunsParts): AgentTools {
  const { evm: chains, outbound } = ports
  const wallets = evmWalletsStore(ports.sql)
  return agentTools(
    [
      policyTool(signing),
      ...chainTools({ chains, wallets }),
      ...signingTools(signing),
      userOperationTool({ signing, wallets, operations: operationMaker(operations, accounts) }),
      payTool({ outbound, signing }),
      ...controlTools,
    ],
    { signing, wallets },
  )
}

const operationMaker = (
  { sql, building, submitting }: UserOps,
  accounts: SmartAccountsCtx,
): OperationMaker => ({
  provision: (actor, chain) => createAccountForAgent(accounts, actor, chain),
  build: (owner, input) => buildOperation(building, owner, input),
  read: (owner, hash) => readOperation(sql, owner, hash),
  giveUp: (owner, hash) => giveUpOperation(sql, owner, hash),
  submit: (owner, input) => submitOperation(submitting, owner, input),
})
