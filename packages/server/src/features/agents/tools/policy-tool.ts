import type { AgentSession, ErrorCode, Fail } from '@symbolon/api'
import * as z from 'zod'
import type { AgentSessionPrincipal, Organization } from '../../../http/principal.ts'
import { type AgentTool, agentTool, readingHints } from './agent-tool.ts'

/** A session as its owner sees it: with effective policy and budget. */
export type ReadSession = (
  actor: { organization: Organization; session: AgentSessionPrincipal },
  fail: Fail<ErrorCode>,
) => Promise<AgentSession>

/** The tool that tells an agent what it may do, and what is left. */
export const policyTool = (readSession: ReadSession): AgentTool =>
  agentTool({
    name: 'get_policy',
    description: 'Tells what the policy allows, what was spent of each budget and what is left.',
    hints: readingHints(false),
    input: z.strictObject({}),
    async run(_, { organization, session }, fail) {
      const { effective_policy, spent, transactions, status, wallet_id, expires_at } = await readSession(
        { organization, session },
        fail,
      )
      return { wallet_id, status, expires_at, effective_policy, spent, transactions }
    },
  })
