import { isUserSignsPerMinute, type Quotas, setQuota } from '@symbolon/server/operator'
import { type Command, InvalidArgumentError } from 'commander'
import type { CliWorld } from '../cli-world.ts'
import { findDatabase } from '../find-installation.ts'
import { type JsonOption, jsonOption, printResult } from '../print-result.ts'

/** Adds `symbolon org`: settings of an organization that only an operator can change. */
export function orgCommand(symbolon: Command, world: CliWorld): void {
  const org = symbolon
    .command('org')
    .description('The organizations of this installation.')
    .helpCommand(false)
  org
    .command('quota')
    .description('Shows what an organization may use, or changes it.')
    .argument('<id>', 'the id of the organization')
    .option(
      '--user-signs-per-minute <n>',
      'signatures a minute that each of its users may make (12 to 6000)',
      readUserSigns,
    )
    .option(...jsonOption)
    .action(
      async (
        id: string,
        { userSignsPerMinute, ...options }: JsonOption & { userSignsPerMinute?: number },
      ) => {
        const asked = userSignsPerMinute === undefined ? {} : { userSignsPerMinute }
        const quotas = await setQuota(findDatabase(world), id, asked)
        printResult(world, options, quotas, quotaText(quotas))
      },
    )
}

function readUserSigns(text: string): number {
  const figure = Number(text)
  if (isUserSignsPerMinute(figure)) return figure
  throw new InvalidArgumentError('It must be a whole number from 12 to 6000.')
}

function quotaText({ user_signs_per_minute: perMinute }: Quotas): string {
  return `signatures per user and minute  ${perMinute ?? '12 (default)'}\n`
}
