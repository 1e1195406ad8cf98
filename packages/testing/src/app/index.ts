/**
 * The platform in this process (`startTestApp()`): real routes, database, enclave and mail, with its
 * tenants and portal users.
 */

export { mailedCode, mailsTo, mailTo, otherCode } from './mails.ts'
export {
  callAs,
  fromPortal,
  joinOrganization,
  newCompany,
  newMember,
  type PortalUser,
  portalUser,
} from './portal-user.ts'
export { type Signer, startSigner } from './signer.ts'
export {
  forgetRates,
  liftRates,
  login,
  makeTenant,
  makeWallet,
  makeWalletFor,
  mintSecretKey,
  startClock,
  stopClock,
  type Tenant,
  type TenantOptions,
  type User,
} from './tenant.ts'
export {
  type Answer,
  type Api,
  type CallOptions,
  call,
  enclaveOf,
  type Installation,
  ownOrigin,
  startInstallation,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from './test-app.ts'
