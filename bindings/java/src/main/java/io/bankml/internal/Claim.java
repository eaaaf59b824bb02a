package io.bankml.internal;

/**
 * Whether a batch has taken an object: it needs many at once, and code cannot hold any number of monitors. The owner's monitor
 * guards this and is free while the object is taken, so that calls can wait for the end or be refused.
 */
public final class Claim {
  private final Object owner;
  private boolean taken;

  /** @param owner whose monitor guards the claim */
  public Claim(Object owner) {
    this.owner = owner;
  }

  /** Returns once nobody has the object. Call it under the owner's monitor, which is given up while waiting; not interruptible. */
  public void awaitFree() {
    boolean interrupted = false;
    while (taken) {
      try {
        owner.wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public void take() {
    synchronized (owner) {
      awaitFree();
      taken = true;
    }
  }

  /** false if another has it. */
  public boolean takeIfFree() {
    synchronized (owner) {
      boolean free = !taken;
      taken = true;
      return free;
    }
  }

  public void give() {
    synchronized (owner) {
      taken = false;
      owner.notifyAll();
    }
  }
}
