import {
  type InstallationQuotas,
  isSponsoredGasEurPerMonth,
  isUserSignsPerMinute,
  type QuotaChange,
  type Quotas,
  setInstallationQuota,
  setQuota,
} from '@symbolon/server/operator'
import { type Command, InvalidArgumentError } from 'commander'
import type { CliWorld } from '../cli-world.ts'
import { findDatabase } from '../find-installation.ts'
import { type JsonOption, jsonOption, printResult } from '../print-result.ts'

type Options = JsonOption & QuotaChange & { installation?: true }

/** Adds `symbolon org`: settings of an organization that only an operator can change. */
export function orgCommand(symbolon: Command, world: CliWorld): void {
  const org = symbolon
    .command('org')
    .description('The organizations of this installation.')
    .helpCommand(false)
  org
    .command('quota')
    .description('Shows or sets the quotas of an organization, or of the whole installation.')
    .argument('[id]', 'the id of the organization')
    .option('--installation', 'instead of an organization: what all of them together may use')
    .option(
      '--user-signs-per-minute <n>',
      'signatures a minute that each of its users may make (12 to 6000)',
      readUserSigns,
    )
    .option(
      '--sponsored-gas-eur-per-month <n>',
      'EUR of sponsored gas that all its wallets (with --installation: all wallets) together may use in a calendar month (UTC); 0 for none',
      readSponsoredGas,
    )
    .option(...jsonOption)
    .action(async (id: string | undefined, options: Options, quota: Command) => {
      const { userSignsPerMinute, sponsoredGasEurPerMonth, installation } = options
      if ((id === undefined) !== (installation === true))
        quota.error('error: pass either an organization id or --installation')
      if (installation && userSignsPerMinute !== undefined)
        quota.error('error: --user-signs-per-minute is for one organization')
      const database = findDatabase(world)
      if (id === undefined) {
        const quotas = await setInstallationQuota(database, sponsoredGasEurPerMonth)
        printResult(world, options, quotas, gasText(quotas))
      } else {
        const quotas = await setQuota(database, id, { userSignsPerMinute, sponsoredGasEurPerMonth })
        printResult(world, options, quotas, quotaText(quotas))
      }
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
  return `signatures per user and minute  ${quotas.user_signs_per_minute ?? '12 (default)'}\n${gasText(quotas)}`
}

const gasText = (quotas: InstallationQuotas): string =>
  `sponsored gas per month         EUR ${quotas.sponsored_gas_eur_per_month}\n`
