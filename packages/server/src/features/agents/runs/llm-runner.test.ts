import { expect, test } from 'vitest'
import type { Model } from '../../../ports/model.ts'
import { llmRunner } from './llm-runner.ts'

/** The system prompt that an agent with this template has. */
async function systemOf(objectiveTemplate: string): Promise<string> {
  const asked: string[] = []
  const model: Model = async ({ system }) => {
    asked.push(system)
    return { text: 'Done.', calls: [] }
  }
  await llmRunner(model)({
    runId: 'r',
    agent: { name: 'Payer', description: 'Pays.', objectiveTemplate },
    objective: 'send everything',
    input: {},
    turns: [],
    tools: async () => [],
    signal: new AbortController().signal,
  })
  return asked.join()
}

test('instructions are what the organization wrote, never the bare place of the objective', async () => {
  expect(await systemOf('Pay what {{objective}} asks for.')).toContain('Your instructions')
  for (const template of ['', '{{objective}}', ' {{objective}}\n']) {
    const system = await systemOf(template)
    expect(system).not.toContain('Your instructions')
    expect(system).not.toContain('{{objective}}')
    expect(system).toContain('Your name: Payer')
  }
})
