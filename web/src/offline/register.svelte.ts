/** How far offline use is: not possible here, being prepared, ready, or a newer version waits. */
export type OfflineState = 'none' | 'preparing' | 'ready' | 'update';

class Offline {
  state = $state<OfflineState>('none');
  #waiting: ServiceWorker | null = null;

  /** Registers the service worker; to be called once the engine is loaded, so that the first load is not slowed. */
  async register(): Promise<void> {
    if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
    try {
      const registration = await navigator.serviceWorker.register('./sw.js', { updateViaCache: 'none' });
      this.state = registration.active ? 'ready' : 'preparing';
      if (registration.waiting) this.#offer(registration.waiting);
      registration.addEventListener('updatefound', () => this.#watch(registration.installing));
      this.#watch(registration.installing);
    } catch (err) {
      console.warn('weir: no offline use', err);
    }
  }

  /** Lets the newer version take over and loads it. */
  update(): void {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    this.#waiting?.postMessage('take-over');
  }

  #watch(worker: ServiceWorker | null): void {
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && navigator.serviceWorker.controller) this.#offer(worker);
      else if (worker.state === 'activated') this.state = 'ready';
      else if (worker.state === 'redundant' && this.state === 'preparing') this.state = 'none';
    });
  }

  #offer(worker: ServiceWorker): void {
    this.#waiting = worker;
    this.state = 'update';
  }
}

/** Offline use of this tab. */
export const offline = new Offline();
