package io.bankml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Replies: the JSON of rows and of survivors, exactly. */
class ReplyTest {
  private static final Vocab VOCAB =
      Vocab.of(
          List.of(
              "Hello".getBytes(StandardCharsets.UTF_8),
              new byte[] {'\n'},
              "<eos>".getBytes(StandardCharsets.UTF_8),
              new byte[] {(byte) 0xF0, (byte) 0x9F},
              new byte[] {(byte) 0x98, (byte) 0x80}),
          new int[] {0, 0, Vocab.CONTROL, 0, 0},
          2,
          -1);

  @AfterAll
  static void close() {
    VOCAB.close();
  }

  @Test
  void of_a_row() {
    float[] logits = {1, -Rows.INF, -Rows.INF, -Rows.INF, -Rows.INF};
    try (Sampler sampler = Rows.neutral(5);
        Reply reply = new Reply(Reply.Format.LLAMA_SERVER, VOCAB, 0)) {
      TokenProbs probs = sampler.tokenProbs(logits, 3, 1);
      reply.add(3, probs.sampledP(), probs.top());
      assertEquals(
          "[{\"id\":3,\"token\":\"\",\"bytes\":[240,159],\"logprob\":-3.4028234663852886e+38,\"top_logprobs\":["
              + "{\"id\":0,\"token\":\"Hello\",\"bytes\":[72,101,108,108,111],\"logprob\":0.0}]}]",
          reply.json());
    }
  }

  @Test
  void after_sampling() {
    try (Sampler sampler = Rows.neutral(5, builder -> builder.topK(1));
        Reply reply = new Reply(Reply.Format.LLAMA_SERVER_CHAT, VOCAB, Reply.POST_SAMPLING)) {
      sampler.keep(true);
      int token = sampler.sample(new float[] {0, 3, 1, 2, -1});
      reply.add(token, 1, sampler.postProbs(3));
      assertEquals(
          "{\"content\":[{\"id\":1,\"token\":\"\\n\",\"bytes\":[10],\"prob\":1.0,\"top_probs\":["
              + "{\"id\":1,\"token\":\"\\n\",\"bytes\":[10],\"prob\":1.0}]}]}",
          reply.json());
    }
  }

  @Test
  void openai() {
    try (Reply chat = new Reply(Reply.Format.OPENAI_CHAT, VOCAB, 0);
        Reply completions = new Reply(Reply.Format.OPENAI_COMPLETIONS, VOCAB, Reply.SPECIAL)) {
      chat.add(0, 0.5f, List.of(new TokenProb(4, 0.25f)));
      assertEquals(
          "{\"content\":[{\"token\":\"Hello\",\"logprob\":-0.6931472,\"bytes\":[72,101,108,108,111],\"top_logprobs\":["
              + "{\"token\":\"\\\\x98\\\\x80\",\"logprob\":-1.3862944,\"bytes\":[152,128]}]}],\"refusal\":null}",
          chat.json());
      completions.setTextOffset(7);
      completions.add(2, 0, List.of());
      completions.add(0, 1, List.of(), "H\u00E9".getBytes(StandardCharsets.UTF_8));
      assertEquals(
          "{\"tokens\":[\"<eos>\",\"H\u00E9\"],\"token_logprobs\":[-9999.0,0.0],"
              + "\"top_logprobs\":[{\"<eos>\":-9999.0},{\"H\u00E9\":0.0}],\"text_offset\":[7,12]}",
          completions.json());
      completions.clear();
      completions.add(1, 1, List.of(), new byte[0]);
      assertEquals(
          "{\"tokens\":[\"\"],\"token_logprobs\":[0.0],\"top_logprobs\":[{\"\":0.0}],\"text_offset\":[14]}", completions.json());
    }
  }

  @Test
  void what_does_not_fit_is_refused() {
    assertThrows(InvalidArgumentException.class, () -> new Reply(Reply.Format.OPENAI_CHAT, VOCAB, Reply.POST_SAMPLING));
    assertThrows(InvalidArgumentException.class, () -> new Reply(Reply.Format.LLAMA_SERVER, VOCAB, 8));
    Reply reply = new Reply(Reply.Format.LLAMA_SERVER, VOCAB, 0);
    InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> reply.add(-1, 0.5f, List.of()));
    assertEquals(ErrorCode.TOKEN, e.code());
    for (float p : new float[] {1.5f, -0.5f, Float.NaN, Rows.INF}) {
      e = assertThrows(InvalidArgumentException.class, () -> reply.add(0, p, List.of()));
      assertTrue(e.getMessage().contains("outside [0, 1]"), e.getMessage());
    }
    assertThrows(InvalidArgumentException.class, () -> reply.setTextOffset(-1));
    assertEquals("[]", reply.json());
    reply.close();
    reply.close();
    assertThrows(IllegalStateException.class, reply::json);
    assertThrows(IllegalStateException.class, reply::clear);
    assertThrows(IllegalStateException.class, () -> reply.add(0, 1, List.of()));
  }
}
