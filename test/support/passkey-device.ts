/**
 * Chromium's virtual authenticator: a device with passkeys, and its user.
 *
 * ```ts
 * const device = await plugIn(page)                       // says yes to everything, at once
 * const key = await plugIn(page, { transport: 'usb', hasResidentKey: false })
 * const [passkey] = await device.passkeys()
 * await other.keep({ ...passkey, signCount: 1 })          // a copy, with a counter of its own
 * ```
 */
import type { CDPSession, Page } from 'playwright-core'

/** A passkey with its private key. */
export interface KeptPasskey {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly privateKey: string
  readonly signCount: number
  readonly rpId?: string
  readonly userHandle?: string
}

/** The options of a device that differ from the defaults. */
export interface DeviceOptions {
  readonly transport?: 'internal' | 'usb'
  readonly hasResidentKey?: boolean
  readonly hasUserVerification?: boolean
  readonly isUserVerified?: boolean
  /** True if the user touches it immediately. */
  readonly automaticPresenceSimulation?: boolean
}

/** A device with passkeys. */
export class Device {
  readonly #session: CDPSession
  readonly #authenticatorId: string

  constructor(session: CDPSession, authenticatorId: string) {
    this.#session = session
    this.#authenticatorId = authenticatorId
  }

  async passkeys(): Promise<KeptPasskey[]> {
    const { credentials } = await this.#session.send('WebAuthn.getCredentials', this.#named())
    return credentials
  }

  /** Puts a passkey into it. */
  async keep(credential: KeptPasskey): Promise<void> {
    await this.#session.send('WebAuthn.addCredential', { ...this.#named(), credential })
  }

  async forget({ credentialId }: KeptPasskey): Promise<void> {
    await this.#session.send('WebAuthn.removeCredential', { ...this.#named(), credentialId })
  }

  /** Sets whether the device recognises its user from now on. */
  async recognise(isUserVerified: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setUserVerified', { ...this.#named(), isUserVerified })
  }

  /** Sets whether the user touches it from now on. */
  async touch(enabled: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setAutomaticPresenceSimulation', { ...this.#named(), enabled })
  }

  async unplug(): Promise<void> {
    await this.#session.send('WebAuthn.removeVirtualAuthenticator', this.#named())
  }

  #named(): { authenticatorId: string } {
    return { authenticatorId: this.#authenticatorId }
  }
}

/** Gives a page a device. Other pages do not see it. */
export async function plugIn(page: Page, options: DeviceOptions = {}): Promise<Device> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...options,
    },
  })
  return new Device(session, authenticatorId)
}
