/**
 * An answer for clients before 1.0, with the names of 0.1 beside those of 0.2 and 0.3: `type` and `kind` of parts, `sessionId` and
 * `contextId`, `index` and `artifactId`, and `id` of an update.
 */
export function bothSpellings(result: unknown): unknown {
  if (!isRecord(result)) return result
  if (result['kind'] === 'task') return taskInBoth(result)
  if (result['kind'] === 'message') return messageInBoth(result)
  if (result['kind'] === 'status-update')
    return {
      ...result,
      id: result['taskId'],
      sessionId: result['contextId'],
      status: statusInBoth(result['status']),
      // The stream ends where the caller has to answer, too (0.3, section 7.2.2).
      final: result['final'] === true || isForInput(result['status']),
    }
  if (result['kind'] === 'artifact-update')
    return {
      ...result,
      id: result['taskId'],
      sessionId: result['contextId'],
      artifact: artifactInBoth(result['artifact'], 0),
    }
  return result
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const partsInBoth = (parts: unknown): unknown =>
  Array.isArray(parts)
    ? parts.map((part: unknown) => (isRecord(part) ? { type: part['kind'], ...part } : part))
    : parts

const messageInBoth = (message: unknown): unknown =>
  isRecord(message) ? { ...message, parts: partsInBoth(message['parts']) } : message

const statusInBoth = (status: unknown): unknown =>
  isRecord(status) && status['message'] !== undefined
    ? { ...status, message: messageInBoth(status['message']) }
    : status

const isForInput = (status: unknown): boolean => isRecord(status) && status['state'] === 'input-required'

const artifactInBoth = (artifact: unknown, index: number): unknown =>
  isRecord(artifact) ? { index, ...artifact, parts: partsInBoth(artifact['parts']) } : artifact

const taskInBoth = (task: Fields): Fields => ({
  ...task,
  sessionId: task['contextId'],
  status: statusInBoth(task['status']),
  ...(Array.isArray(task['history']) && { history: task['history'].map(messageInBoth) }),
  ...(Array.isArray(task['artifacts']) && { artifacts: task['artifacts'].map(artifactInBoth) }),
})
