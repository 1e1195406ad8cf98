// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type { TokenMode } from './backend-answers.ts'
import type { AgentPolicy, AgentSkill, HookStyle, OrganizationRules, RunnerName } from './portal-answers.ts'

/** `ChangeAgent` of the API. */
export type ChangeAgent = {
  name?: string
  description?: string
  runner?: RunnerName
  /** `{{objective}}` stands for the objective. Text from outside is data, never instructions. */
  objective_template?: string
  policy?: AgentPolicy
  skills?: Array<AgentSkill>
}

/** `CreateAgent` of the API. */
export type CreateAgent = {
  name: string
  wallet_id: string
  description?: string
  runner?: RunnerName
  /** `{{objective}}` stands for the objective. Text from outside is data, never instructions. */
  objective_template?: string
  policy?: AgentPolicy
  skills?: Array<AgentSkill>
}

/** `CreateAgentHook` of the API. */
export type CreateAgentHook = {
  name: string
  style?: HookStyle
  objective_template: string
}

/** `PutRules` of the API. */
export type PutRules = {
  /** Handles of chains on which no agent may sign. */
  blocked_chains?: Array<string>
  /** Accounts, contracts and tokens of any network. Text that can name none of these is refused with `invalid_request`. */
  blocked_recipients?: Array<string>
  /** The most native value that one payload may move, for every agent, in the smallest unit, without its fee. */
  max_native_per_tx_cap?: string
  /** The most that all payloads may spend, value and fees, per session and native asset. */
  max_native_total_cap?: string
  /** The highest fee that one transaction of any agent may cost in the worst case, in the smallest unit. */
  max_fee_per_tx_native_cap?: string
  /** Which tokens may move. Default `allowlist`. */
  token_mode?: TokenMode
  /** Whether agents may sign bare hashes. Default `false`. */
  allow_raw_hash?: boolean
  /** The longest that a session may live. A session minted for longer is clipped. */
  max_session_ttl_seconds?: number
  rules?: OrganizationRules
  updated_at?: string | null
}

/** `StartAgentRun` of the API. */
export type StartAgentRun = {
  objective:
    | string
    | {
        tool: string
        arguments?: { [name: string]: unknown }
      }
}

/** `UpdateOrganization` of the API. */
export type UpdateOrganization = {
  name?: string
  logo_url?: string | null
  brand_color?: string | null
  support_email?: string | null
  allowed_origins?: Array<string>
  sign_confirmation?: boolean
  export_enabled?: boolean
  high_risk_delay_seconds?: number
  trusted_clients?: Array<string>
  receipts?: boolean
}
