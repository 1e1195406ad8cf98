/** The versions a request was evaluated under; bigints as texts. `agentVersion` is null for a session without an agent. */
export type PolicyVersions = { policyVersion: number; rulesVersion: string; agentVersion: string | null }
