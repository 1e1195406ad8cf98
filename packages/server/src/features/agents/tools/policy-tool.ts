import * as z from 'zod'
import { mapResult } from '../../../runtime/failure.ts'
import type { SessionViewCtx } from '../sessions/agent-session-views.ts'
import { getOwnAgentSession } from '../sessions/agent-sessions.ts'
import { type AgentTool, agentTool, readingHints } from './agent-tool.ts'

/** The tool that shows an agent its policy and its remaining budget. */
export const policyTool = (sessions: SessionViewCtx): AgentTool =>
  agentTool({
    name: 'get_policy',
    description: 'Returns the policy, and the spent and remaining amount of each budget.',
    skill: {
      name: 'Report its policy',
      description: 'Returns its policy, and the spent and remaining amount of each budget.',
    },
    hints: readingHints(false),
    input: z.strictObject({}),
    run: async (_, { actor }) =>
      mapResult(
        await getOwnAgentSession(sessions, actor),
        ({ effective_policy, spent, transactions, status, wallet_id, expires_at }) => ({
          wallet_id,
          status,
          expires_at,
          effective_policy,
          spent,
          transactions,
        }),
      ),
  })
