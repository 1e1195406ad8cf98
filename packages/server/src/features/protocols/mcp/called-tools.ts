/** A tool that a message calls, with its arguments. */
export type CalledTool = { name: string; args: unknown }

/** The calls of tools among the messages of a request. Notifications are ignored: nobody would answer them. */
export const calledTools = (messages: readonly unknown[]): CalledTool[] => messages.flatMap(calledBy)

function calledBy(message: unknown): CalledTool[] {
  if (!isRecord(message) || message['method'] !== 'tools/call' || !('id' in message)) return []
  const { params } = message
  if (!isRecord(params) || typeof params['name'] !== 'string') return []
  return [{ name: params['name'], args: params['arguments'] ?? {} }]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
