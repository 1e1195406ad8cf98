import type { ListTasksRequest } from '@a2a-js/sdk'
import { RequestMalformedError } from '@a2a-js/sdk/errors'
import { taskStates } from './a2a-task.ts'
import type { TaskFilter, TaskRun, TaskStateName } from './tasks.store.ts'

const pageSizeDefault = 50
const pageSizeMax = 100

/** The statements' filter of a list request (A2A 1.0, section 3.1.4); `isImpossible`: our tasks are never in the state it names. */
export function taskFilter(request: ListTasksRequest): TaskFilter & { isImpossible: boolean } {
  const limit = request.pageSize ?? pageSizeDefault
  if (!Number.isInteger(limit) || limit < 1 || limit > pageSizeMax)
    throw malformed(`pageSize must be 1 to ${pageSizeMax}.`)
  const state = (Object.keys(taskStates) as TaskStateName[]).find(
    (name) => taskStates[name] === request.status,
  )
  const changedSince = request.statusTimestampAfter ? new Date(request.statusTimestampAfter) : undefined
  if (changedSince !== undefined && !isStorable(changedSince))
    throw malformed('statusTimestampAfter must be an ISO 8601 time.')
  const after = request.pageToken ? readToken(request.pageToken) : undefined
  return {
    limit,
    isImpossible: request.status !== undefined && request.status !== 0 && state === undefined,
    ...(request.contextId && { contextId: request.contextId }),
    ...(state !== undefined && { state }),
    ...(changedSince && { changedSince }),
    ...(after && { after }),
  }
}

/** The token of the page behind a task. */
export const pageToken = ({ updatedAt, id }: TaskRun): string =>
  Buffer.from(`${updatedAt.getTime()} ${id}`).toString('base64url')

function readToken(token: string): { updatedAt: Date; id: string } {
  const [, time, id] = tokenShape.exec(Buffer.from(token, 'base64url').toString('latin1')) ?? []
  const updatedAt = new Date(Number(time))
  if (id === undefined || !isStorable(updatedAt)) throw malformed('The pageToken is invalid.')
  return { updatedAt, id }
}

const tokenShape = /^(\d{1,15}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Whether PostgreSQL stores the time: in a year of four digits. */
const isStorable = (time: Date): boolean => time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999

const malformed = (message: string) => new RequestMalformedError({ message })
