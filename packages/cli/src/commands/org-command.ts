import {
  isSponsoredGasEurPerMonth,
  isUserSignsPerMinute,
  type QuotaChange,
  type Quotas,
  setQuota,
} from '@symbolon/server/operator'
import { type Command, InvalidArgumentError } from 'commander'
import type { CliWorld } from '../cli-world.ts'
import { findDatabase } from '../find-installation.ts'
import { type JsonOption, jsonOption, printResult } from '../print-result.ts'

type Options = JsonOption & QuotaChange

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
    .option(
      '--sponsored-gas-eur-per-month <n>',
      'EUR of sponsored gas that all its wallets together may use in a calendar month (UTC); 0 for none',
      readSponsoredGas,
    )
    .option(...jsonOption)
    .action(async (id: string, { userSignsPerMinute, sponsoredGasEurPerMonth, ...options }: Options) => {
      const quotas = await setQuota(findDatabase(world), id, { userSignsPerMinute, sponsoredGasEurPerMonth })
      printResult(world, options, quotas, quotaText(quotas))
    })
}

function readUserSigns(text: string): number {
  const figure = Number(text)
  if (isUserSignsPerMinute(figure)) return figure
  throw new InvalidArgumentError('It must be a whole number from 12 to 6000.')
}

function readSponsoredGas(text: string): number {
  const figure = Number(text)
  if (text !== '' && isSponsoredGasEurPerMonth(figure)) return figure
  throw new InvalidArgumentError('It must be a whole number of EUR from 0 to 10000000.')
}

function quotaText(quotas: Quotas): string {
  return `signatures per user and minute  ${quotas.user_signs_per_minute ?? '12 (default)'}
sponsored gas per month         EUR ${quotas.sponsored_gas_eur_per_month}
`
}
