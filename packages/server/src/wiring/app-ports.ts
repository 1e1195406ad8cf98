import type { Secrets } from '../adapters/secrets-file.ts'
import type { Sql } from '../db/pool.ts'
import type { EnclavePins } from '../features/frame/frame.ts'
import type { Probe } from '../features/health/health.ts'
import type { BeatTurns } from '../features/processes/process-heartbeat.ts'
import type { UserOpTimes } from '../features/userops/userops.ts'
import type { OriginRules } from '../http/origin.ts'
import type { BuiltAssets, BuiltDocs, BuiltPortal, BuiltTools } from '../ports/built-assets.ts'
import type { ChainMetrics } from '../ports/chain-metrics.ts'
import type { Clock, Ids } from '../ports/clock.ts'
import type { Enclave } from '../ports/enclave.ts'
import type { EvmChains } from '../ports/evm-chains.ts'
import type { HttpMetrics } from '../ports/http-metrics.ts'
import type { IdentityProvider } from '../ports/identity-provider.ts'
import type { IssuerKeys } from '../ports/issuer-keys.ts'
import type { Kms } from '../ports/kms.ts'
import type { Log } from '../ports/log.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { Model } from '../ports/model.ts'
import type { GuardedOutbound } from '../ports/outbound.ts'
import type { Prices } from '../ports/prices.ts'
import type { ProcessTable } from '../ports/process-table.ts'
import type { Random } from '../ports/random.ts'

/** Everything the service needs from outside. */
export type Ports = {
  sql: Sql
  kms: Kms
  enclave: Enclave
  mailer: Mailer
  issuerKeys: IssuerKeys
  outbound: GuardedOutbound
  identityProvider: IdentityProvider
  evm: EvmChains
  prices: Prices
  chainMetrics: ChainMetrics
  browserAssets: BuiltAssets
  portalAssets: BuiltPortal
  tools: BuiltTools
  docs: BuiltDocs
  secrets: Secrets
  clock: Clock
  ids: Ids
  random: Random
  /** In 0..1, for jitter. */
  jitter: () => number
  /** What `llm` agents work with; without it there are none. */
  model?: Model
  /** This process among those of its host. */
  processTable: ProcessTable
  log: Log
  metrics: HttpMetrics
}

/** What differs between an installation, development and a test. */
export type AppOptions = {
  baseUrl: string
  originRules: OriginRules
  /** The wallet frame's origin that this process has claimed, on which no client-mode wallet may be made once another has; none where it may change. */
  claimedFrame?: string | undefined
  /** The enclaves that the wallet frame seals imported keys to; none when absent. */
  enclavePins?: EnclavePins
  /** The port that serves the wallet frame alone; without it, its host name tells its requests. */
  framePort?: number
  /** Development: where `/` of the platform leads; nothing is there when absent. */
  homePath?: string
  trustedProxies: readonly string[]
  /** Development: the host names that are answered, apart from those of the loopback interface; every name when absent. */
  answeredHosts?: readonly string[]
  areAnswersChecked: boolean
  /** The usual ones when absent. */
  userOpTimes?: UserOpTimes
  /** Agents may have the `scripted` runner: development and tests only. */
  isScriptedRunnerAllowed?: boolean
  /** Days that runs of agents are kept after their end: 90 when absent, 0 for ever. */
  runDays?: number
  /** `high_risk_delay_seconds` of new organizations: 0 when absent. */
  highRiskDelaySeconds?: number
  /** The processes of this cluster, one of which beats for all; this one beats for itself when absent. */
  beatTurns?: BeatTurns | undefined
  /** Further parts that `/v1/ready` waits for. */
  probes?: Record<string, Probe>
}
