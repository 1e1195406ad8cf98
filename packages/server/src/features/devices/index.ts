/**
 * The devices that users log in with: each is named by a secret that its wallet frame keeps, is new at first, and becomes known with time.
 * @module
 */

export { type DevicesCtx, deviceHash, isKnownDevice, readDevice, recordDeviceLogin } from './devices.ts'
export type { CancelBegun } from './forget-device.ts'
