import type { Agent, AgentRun } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { runsQuery } from '../../data/agent-queries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useExampleChain } from '../../policy/use-chains.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Time } from '../../ui/time.tsx'
import { reasonOf } from '../agent-sessions/reasons.ts'
import { objectiveText, RunState, runSources, runStates } from './run-state.tsx'
import { StartRunDialog } from './start-run-dialog.tsx'

const route = getRouteApi('/inside/o/$slug/agents/$agentID')
const size = 10

/** An agent's runs, newest first, and the button that starts one. */
export function RunsCard({ agent }: { agent: Agent }) {
  const { id: orgID, slug } = useOrganization()
  const mayStart = useMay('developer') && agent.status === 'active'
  const { state, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const known = runStates.find(([one]) => one === state)?.[0]
  const example = useExampleChain().handle
  const [isStarting, setStarting] = useState(false)
  const { data, error, refetch } = useQuery(
    runsQuery(orgID, agent.id, {
      ...(known !== undefined && { state: known }),
      limit: size,
      offset: (page - 1) * size,
    }),
  )
  return (
    <Card
      title="Runs"
      text="What it was asked for, and what became of it. A run survives a crash and goes on where it was."
      aside={
        <div className="flex flex-wrap gap-2">
          <Select
            aria-label="State of runs"
            className="w-auto!"
            value={known ?? ''}
            onChange={(event) =>
              void navigate({
                search: event.target.value === '' ? {} : { state: event.target.value },
                resetScroll: false,
              })
            }
          >
            <option value="">Every state</option>
            {runStates.map(([one, text]) => (
              <option key={one} value={one}>
                {text}
              </option>
            ))}
          </Select>
          <Button
            look="primary"
            disabled={!mayStart}
            icon={<Play className="size-4" aria-hidden="true" />}
            onClick={() => setStarting(true)}
          >
            Start a run
          </Button>
        </div>
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && (
        <div className="pulse h-24 rounded bg-sunken" aria-busy="true" />
      )}
      {data?.total === 0 && (
        <p className="text-sm text-pretty text-muted">
          {known === undefined
            ? `None yet. Start one here with a sentence such as “balance on ${example}”, or send it a task over A2A.`
            : 'No run is in this state.'}
        </p>
      )}
      <ul className="-my-1 divide-y divide-line">
        {data?.items.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </ul>
      {data !== undefined && data.total > size && (
        <div className="mt-3">
          <Pagination
            page={page}
            size={size}
            total={data.total}
            onPage={(next) =>
              void navigate({ search: (before) => ({ ...before, page: next }), resetScroll: false })
            }
          />
        </div>
      )}
      {isStarting && (
        <StartRunDialog
          agent={agent}
          onStarted={({ id }) =>
            void navigate({
              to: '/o/$slug/agents/$agentID/runs/$runID',
              params: { slug, agentID: agent.id, runID: id },
            })
          }
          onClose={() => setStarting(false)}
        />
      )}
    </Card>
  )
}

function RunRow({ run }: { run: AgentRun }) {
  const { slug } = useOrganization()
  const { id, agent_id, objective, source, created_at, error } = run
  return (
    <li className="relative -mx-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-2 py-2.5 text-sm transition hover:bg-sunken">
      <Link
        to="/o/$slug/agents/$agentID/runs/$runID"
        params={{ slug, agentID: agent_id, runID: id }}
        className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0 max-sm:basis-full"
      >
        {objectiveText(objective)}
      </Link>
      <RunState run={run} />
      <span className="text-xs text-muted">
        {runSources[source]} · <Time at={created_at} />
      </span>
      {error !== null && (
        <span className="basis-full truncate text-xs text-muted">{reasonOf(error).what}</span>
      )}
    </li>
  )
}
