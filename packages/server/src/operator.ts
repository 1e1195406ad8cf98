/**
 * What operators do with an installation from outside of its service, for the `symbolon` command.
 * @module
 */
export type { ApiKey } from '@symbolon/crypto/node'
export { withSecretFiles } from './adapters/secret-files.ts'
export { ConfigError, readMeasurements, readPlaces } from './config.ts'
export { isDatabaseUnavailable } from './db/is-database-unavailable.ts'
export type { MigrationReport } from './db/migrate.ts'
export { runMigration } from './db/run-migration.ts'
export { databaseUrlComplaint } from './db/tls-options.ts'
export { type Acceptance, acceptState, type StateAcceptance } from './process/operator/accept-state.ts'
export { type RestoreReport, restoreBackup } from './process/operator/backup/restore-backup.ts'
export { type BackupReport, writeBackup } from './process/operator/backup/write-backup.ts'
export { type EnclaveStatus, enclaveStatus } from './process/operator/enclave-status.ts'
export {
  type Installation,
  productionInstallation,
  simulatedInstallation,
} from './process/operator/installation.ts'
export { measureImage } from './process/operator/measure-image.ts'
export { OperatorError, operatorFailure } from './process/operator/operator-failure.ts'
export type { Operators } from './process/operator/order-enclave.ts'
export type { InstallationQuotas, QuotaChange, Quotas } from './process/operator/quotas.store.ts'
export { orderRotation, orderSeal, type Rotation, rotateRing } from './process/operator/rotate-ring.ts'
export {
  isSponsoredGasEurPerMonth,
  isUserSignsPerMinute,
  setInstallationQuota,
  setQuota,
} from './process/operator/set-quota.ts'
