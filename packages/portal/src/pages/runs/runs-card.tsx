import type { Agent, AgentRun } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { runsQuery } from '../../data/agent-queries.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useExampleChain } from '../../policy/use-chains.ts'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { FilterSelect } from '../../ui/field.tsx'
import { CompanyLink } from '../../ui/links.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Pagination, pageQuery } from '../../ui/pagination.tsx'
import { Time } from '../../ui/time.tsx'
import { reasonOf } from '../agent-sessions/reasons.ts'
import { objectiveText, RunState, runSources, runStates } from './run-state.tsx'
import { StartRunDialog } from './start-run-dialog.tsx'

const route = getRouteApi('/inside/o/$slug/agents/$agentID')
const size = 10

/** An agent's runs, newest first, and a button that starts one. */
export function RunsCard({ agent }: { agent: Agent }) {
  const { state, page } = route.useSearch()
  const navigate = route.useNavigate()
  const known = runStates.find(([one]) => one === state)?.[0]
  const example = useExampleChain().handle
  const query = useQuery(
    runsQuery(useOrganization().id, agent.id, { ...(known && { state: known }), ...pageQuery(size, page) }),
  )
  return (
    <Card
      title="Runs"
      text="Each run works on one objective. It survives restarts and continues where it stopped."
      aside={
        <div className="flex flex-wrap gap-2">
          <FilterSelect
            label="Status of runs"
            all="All statuses"
            className="w-auto!"
            value={known}
            options={runStates}
            onText={(next) =>
              void navigate({ search: next === '' ? {} : { state: next }, resetScroll: false })
            }
          />
          <StartButton agent={agent} />
        </div>
      }
    >
      <Loaded query={query} className="h-24 rounded">
        {({ items, total }) => (
          <div className="flex flex-col gap-3">
            {total === 0 && (
              <p className="text-sm text-pretty text-muted">
                {known === undefined
                  ? `No runs yet. Start one here with a sentence such as “balance on ${example}”, or send a task over A2A.`
                  : 'No runs with this status.'}
              </p>
            )}
            <ul className="-my-1 divide-y divide-line">
              {items.map((run) => (
                <RunRow key={run.id} run={run} />
              ))}
            </ul>
            {total > size && <Pagination size={size} total={total} resetScroll={false} />}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function StartButton({ agent }: { agent: Agent }) {
  const { slug } = useOrganization()
  const navigate = route.useNavigate()
  const open = ({ id }: AgentRun) =>
    void navigate({
      to: '/o/$slug/agents/$agentID/runs/$runID',
      params: { slug, agentID: agent.id, runID: id },
    })
  return (
    <DialogButton
      needs="developer"
      isDisabled={agent.status !== 'active'}
      look="primary"
      icon={Play}
      dialog={(close) => <StartRunDialog agent={agent} onStarted={open} onClose={close} />}
    >
      Start run
    </DialogButton>
  )
}

function RunRow({ run }: { run: AgentRun }) {
  const { id, agent_id, objective, source, created_at, error } = run
  return (
    <li className="relative -mx-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-2 py-2.5 text-sm transition hover:bg-sunken">
      <CompanyLink
        to="/o/$slug/agents/$agentID/runs/$runID"
        params={{ agentID: agent_id, runID: id }}
        className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0 max-sm:basis-full"
      >
        {objectiveText(objective)}
      </CompanyLink>
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
