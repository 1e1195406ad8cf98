// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type { AgentPolicy, AgentSkill, HookStyle, RunnerName } from './portal-answers.ts'

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
}
